import type { SecurityMutation } from './mutation.ts'

/** What ends with a deleted account. */
export const removedAccountMutations: readonly SecurityMutation[] = [
  {
    ids: ['S18'],
    file: 'apps/server/src/core/accounts/remove-user.ts',
    find: '    await secondFactors.remove(tx, id)\n',
    replace: '',
    test: 'apps/server/src/features/profile/remove.test.ts',
    title: 'S18 passkeys, bound accounts, second factors and targets',
  },
  {
    ids: ['S18'],
    file: 'apps/server/src/core/accounts/remove-user.ts',
    find: '    await passkeys.removeAllOfUser(tx, id)\n',
    replace: '',
    test: 'apps/server/src/features/profile/remove.test.ts',
    title: 'S18 passkeys, bound accounts, second factors and targets',
  },
  {
    ids: ['S18'],
    file: 'apps/server/src/core/accounts/remove-user.ts',
    find: '    await users.removeIdentities(tx, id)\n',
    replace: '',
    test: 'apps/server/src/features/profile/remove.test.ts',
    title: 'S18 passkeys, bound accounts, second factors and targets',
  },
  {
    ids: ['S18'],
    file: 'apps/server/src/core/accounts/remove-user.ts',
    find: '    await targets.removeAllOfUser(tx, id)\n',
    replace: '',
    test: 'apps/server/src/features/profile/remove.test.ts',
    title: 'S18 passkeys, bound accounts, second factors and targets',
  },
]
