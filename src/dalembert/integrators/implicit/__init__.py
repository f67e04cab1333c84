"""What BDF1, SDIRK2 and BDF2 share: one implicit stage, solved by Newton's method on reduced coordinates."""
