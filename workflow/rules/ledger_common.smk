# What the papers' printed numbers are compared with: docs/ledger.md.


def all_numbers():
    return ["results/numbers.csv", "results/numbers.tex"]


def files_of_number(wildcards):
    return checked(plan.ledger.files, [wildcards.number])


def number_spec(wildcards):
    return checked(plan.ledger.number_spec, wildcards.number)


def recorded_outcomes(wildcards):
    return plan.ledger.recorded_files(wildcards.suite)


def rescore_code(wildcards):
    return checked(plan.rescore_code, wildcards.suite)


def rescore_spec(wildcards):
    return checked(plan.rescore_spec, wildcards.suite)
