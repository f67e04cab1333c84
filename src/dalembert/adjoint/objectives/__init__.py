"""What a run can be judged by: functions of the run that also say how they change with it."""
