# What a suite writes beside stimuli, items and tables: annotations of its drawn scenes, its questions in others' forms.

for suite in plan.suites:
    for writer, files in plan.side_files(suite).items():

        rule:
            name:
                f"write_{suite}_{writer}"
            input:
                files.inputs,
            output:
                files.outputs,
            log:
                f"results/logs/write_side_files/{suite}/{writer}.log",
            conda:
                "../../envs/stimuli.yaml"
            params:
                code=plan.side_files_code(suite, writer),
                spec=plan.side_files_spec(suite, writer),
            message:
                f"Writing the {writer} of {suite}"
            script:
                "../scripts/write_side_files.py"
