# What a suite writes beside stimuli, items and tables: annotations of its drawn scenes, its questions in others' forms.
# A rule for each writer, since what it writes are files of other names, and of another number.

for suite in plan.suites:
    for writer, files in plan.studied[suite].side_files.items():

        rule:
            name:
                f"write_{suite}_{writer}"
            input:
                read=files.inputs,
            output:
                written=files.outputs,
            log:
                f"<results>/logs/write_side_files/{suite}/{writer}.log",
            # Questions may be made from them.
            priority: URGENCY[suite]
            params:
                **depends("write_side_files", suite=suite, writer=writer),
            message:
                f"Writing the {writer} of {suite}"
            script:
                JOB
