"""What a run can be differentiated by: small frozen objects, each of which names one quantity."""
