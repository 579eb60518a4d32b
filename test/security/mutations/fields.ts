import type { SecurityMutation } from './mutation.ts'

const dataTest = 'test/security/data-access.test.ts'
const optionTest = 'test/security/option-access.test.ts'
const input = 'packages/contract/src/input.ts'

/** Guards of the fields that a body may have, and of those that an answer has. */
export const fieldMutations: readonly SecurityMutation[] = [
  {
    ids: ['S25', 'C3'],
    file: 'packages/contract/src/profile.ts',
    find: '  avatar_url: Avatar.optional(),\n',
    replace: '  avatar_url: Avatar.optional(),\n  group: z.string().optional(),\n',
    test: dataTest,
    title: 'a write takes the fields of the write table, and no other column of its table',
  },
  {
    ids: ['S24', 'C3'],
    file: 'packages/contract/src/passkeys.ts',
    find: '  backed_up: z.boolean(),\n',
    replace: '  backed_up: z.boolean(),\n  user_id: z.number().optional(),\n',
    test: dataTest,
    title: 'a row has the columns that the column table gives its reader, and no others',
    also: [
      {
        file: 'apps/server/src/features/passkeys/index.ts',
        find: '  backed_up: row.backed_up === 1,\n',
        replace: '  backed_up: row.backed_up === 1,\n  user_id: row.user_id,\n',
      },
    ],
  },
  {
    ids: ['S24', 'C38'],
    file: 'apps/server/src/features/status/index.ts',
    find: 'github_client_id: oauth.GitHubClientId',
    replace: 'github_client_id: oauth.GitHubClientId + oauth.OIDCIssuer',
    test: optionTest,
    title: 'an option is seen by the roles of the option table, and by no others',
  },
  {
    ids: ['S25'],
    file: input,
    find: '  refuseUnknownFields(endpoint, fields)\n',
    replace: '',
    test: 'apps/server/src/features/sign-in/register.test.ts',
    title: 'takes no role, no group and no quota from whoever asks',
  },
]
