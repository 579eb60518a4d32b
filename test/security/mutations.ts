/** A guard taken out of the source, and the test that must fail without it. */
export type SecurityMutation = {
  /** A line of `docs/security.md`. */
  id: string
  file: string
  /** Occurs exactly once in the file. */
  find: string
  replace: string
  test: string
  /** Part of the title of a test in that file. */
  title: string
}

const access = 'test/security/access.test.ts'

export const securityMutations: readonly SecurityMutation[] = [
  {
    id: 'S9',
    file: 'packages/contract/src/settings.ts',
    find: "list: get('/', {\n    access: 'root'",
    replace: "list: get('/', {\n    access: 'user'",
    test: access,
    title: 'every endpoint admits the roles of the access table',
  },
  {
    id: 'C1',
    file: 'apps/server/src/http/access.ts',
    find: 'if (identity.role < minimumRole[access])',
    replace: 'if (false)',
    test: access,
    title: 'every endpoint admits the roles of the access table',
  },
  {
    id: 'C31',
    file: 'packages/contract/src/input.ts',
    find: "if (result.success) return result.data as z.output<E['input']>",
    replace: "return (result.data ?? value) as z.output<E['input']>",
    test: access,
    title: 'C31 every field of every write refuses',
  },
]
