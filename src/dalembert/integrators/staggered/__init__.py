"""Semi-implicit Euler on velocities with contact and friction as quadratic programs."""
