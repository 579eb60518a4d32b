import type { SecurityMutation } from './mutation.ts'

/** Guards of the words of vendors, of backups, and of what calls cost the operator. */
export const leakMutations: readonly SecurityMutation[] = [
  {
    ids: ['S37'],
    file: 'apps/server/src/relay/upstream/scrub.ts',
    find: '...Object.values(channel.requestHeaders), ',
    replace: '',
    test: 'apps/server/src/relay/upstream/scrub.test.ts',
    title: 'are shown without',
  },
  {
    ids: ['S37'],
    file: 'apps/server/src/relay/upstream/scrub.ts',
    find: ', ...textsIn(channel.customParameter)]',
    replace: ']',
    test: 'apps/server/src/relay/upstream/scrub.test.ts',
    title: 'are shown without',
  },
  {
    ids: ['S37'],
    file: 'apps/server/src/relay/upstream/scrub.ts',
    find: '...addressesOf(channel.proxy)',
    replace: '...addressesOf(channel.name)',
    test: 'apps/server/src/relay/upstream/scrub.test.ts',
    title: 'are shown without',
  },
  {
    ids: ['S37'],
    file: 'apps/server/src/relay/upstream/scrub.ts',
    find: '...partsOf(credential)]',
    replace: ']',
    test: 'apps/server/src/relay/upstream/scrub.test.ts',
    title: 'are shown without',
  },
  {
    ids: ['S37'],
    file: 'apps/server/src/relay/upstream/scrub.ts',
    find: '[secret, escaped]',
    replace: '[secret]',
    test: 'apps/server/src/relay/upstream/scrub.test.ts',
    title: 'are shown without',
  },
  {
    ids: ['C45'],
    file: 'apps/server/src/backup/restore.ts',
    find: '  checkSignature(file, masterKey, end, allowsUnsigned)\n',
    replace: '',
    also: [
      {
        file: 'apps/server/src/backup/restore.ts',
        find: 'const checkSignature = (',
        replace: 'export const checkSignature = (',
      },
    ],
    test: 'apps/server/src/backup/backup.test.ts',
    title: 'a backup that was edited and has a right checksum',
  },
  {
    ids: ['S9'],
    file: 'apps/server/src/features/logs/receipt.ts',
    find: 'caller.role >= adminRole && {',
    replace: 'caller.role >= 0 && {',
    test: 'apps/server/test/cost-secrecy.test.ts',
    title: 'no endpoint of the console tells a user',
  },
]
