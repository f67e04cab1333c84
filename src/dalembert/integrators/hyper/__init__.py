"""Implicit integration in hyper-reduced coordinates: joints that follow others have none of their own."""
