type Edit = {
  file: string
  /** Occurs exactly once in the file. */
  find: string
  replace: string
}

/** A guard taken out of the source, and the test that must fail without it. */
export type SecurityMutation = Edit & {
  /** Lines of `docs/security.md`, or of the guards in `docs/ledger.md`, that the guard belongs to. Each of them cites the test. */
  ids: readonly string[]
  test: string
  /** The guard is one of PostgreSQL's; without this the test runs on SQLite only. */
  engine?: 'postgres'
  /** Part of the title of a test in that file. */
  title: string
  /** More edits, where the guard stands in several places. */
  also?: readonly Edit[]
}
