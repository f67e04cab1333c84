"""Pictures of runs. matplotlib is an extra (`pip install 'dalembert[plot]'`) and is loaded by the first picture."""
