// The programs of an installation. `scripts/lib/programs.mjs` adds those of a checkout.

const where = 'It reads DATABASE_URL or DATA_DIR, and MASTER_KEY, as the server does.'
const done = { 0: 'done', 1: 'failed; the reason is on standard error' }
const refused = { 2: 'a word or option is unknown; nothing was done' }
const unanswered = { 2: 'a word or option is unknown, or nobody said yes; nothing was changed' }
const yes = { type: 'boolean', does: 'answers the question with yes, for use without a terminal' }

export const serverPrograms = {
  start: {
    name: 'start',
    does: 'Starts the server. Its configuration is in environment variables, see docs/operations.md; the other programs have --help too: audit, backup, doctor, import, reset-password, restore, rotate-master-key.',
    examples: [['', 'serves until SIGTERM or SIGINT']],
    exitCodes: {
      0: 'stopped by a signal',
      1: 'could not start, or did not stop in time; the reason is on standard error',
      ...refused,
    },
  },
  audit: {
    name: 'audit',
    does: `Recomputes balances, counters and charges from the postings. It changes nothing, and the server may run. ${where}`,
    examples: [['', 'prints what was checked and each finding']],
    exitCodes: { 0: 'clean', 1: 'findings', 2: 'it could not run, or a word or option is unknown' },
  },
  backup: {
    name: 'backup',
    does: `Writes one consistent state of the database into a compressed file, also while the server runs. ${where}`,
    words: {
      ...{ shown: 'file or folder', min: 0, max: 1 },
      does: 'where the backup goes; absent: DATA_DIR/backups/hub-backup-<time>.jsonl.gz',
    },
    examples: [
      ['', 'into DATA_DIR/backups'],
      ['/mnt/backups/', 'into a folder'],
    ],
    exitCodes: { ...done, ...refused },
  },
  restore: {
    name: 'restore',
    does: `Fills the database from a backup. Stop every server before. It asks before it replaces a database that has users. ${where}`,
    words: { shown: 'file', min: 1, max: 1, does: 'a backup, made by the program backup' },
    options: {
      yes,
      unsigned: {
        type: 'boolean',
        does: 'accepts a backup without a signature, which releases before 0.2 made; anybody who could write the file could have changed it',
      },
    },
    examples: [
      ['hub-backup-20261127T030000Z.jsonl.gz', 'fills an empty database, or asks'],
      ['backup.jsonl.gz --yes', 'loses what is in the database without a question'],
    ],
    exitCodes: { ...done, ...unanswered },
  },
  doctor: {
    name: 'doctor',
    does: 'Looks at configuration, database, Redis, disk, clock, e-mail and the hosts of the channels. It changes nothing, and the server may run.',
    options: { json: { type: 'boolean', does: 'prints JSON' } },
    examples: [
      ['', 'prints a line for each check'],
      ['--json', 'prints {"ok": …, "checks": [{"check", "state", "text"}]}'],
    ],
    exitCodes: {
      ...{ 0: 'nothing failed', 1: 'something failed' },
      2: 'it could not look, or a word or option is unknown',
    },
  },
  import: {
    name: 'import',
    does: `Carries the data of another gateway into this database; the source is only read. It asks before it replaces a database that has users. Stop every server before. See docs/import.md. ${where}`,
    words: {
      ...{ shown: 'file or address', min: 1, max: 1 },
      does: 'one-api.db, or mysql://… or postgres://… of the other gateway',
    },
    options: {
      'dry-run': { type: 'boolean', does: 'shows what would be carried, and writes nothing' },
      history: { type: 'boolean', does: 'carries the log and the orders of the past, too' },
      pricing: { type: 'string', shown: 'file', does: "New API's answer at /api/pricing" },
      'salt-key-file': { type: 'string', shown: 'file', does: 'the LITELLM_SALT_KEY of LiteLLM' },
      yes,
    },
    examples: [
      ['/path/to/one-api.db --dry-run', 'shows what would be carried'],
      ["'mysql://reader:password@127.0.0.1:3306/onehub'", 'carries it'],
    ],
    exitCodes: { ...done, ...unanswered },
  },
  'rotate-master-key': {
    name: 'rotate-master-key',
    does: `Seals every secret of the database with another master key: a new master.key in DATA_DIR, or NEW_MASTER_KEY. Stop every server and make a backup before. It asks before it begins. ${where}`,
    options: { yes },
    examples: [
      ['', 'asks, then replaces the key'],
      ['--yes', 'replaces it without a question'],
    ],
    exitCodes: {
      ...{ 0: 'done', 1: 'failed, or a value opens with neither key; see standard error' },
      ...unanswered,
    },
  },
  'reset-password': {
    name: 'reset-password',
    does: `Gives a user a new password and prints it once; their sessions and access token end. The server may run. ${where}`,
    words: { shown: 'username', min: 0, max: 1, does: 'whose password; absent: root' },
    examples: [
      ['', 'a new password for root'],
      ['alice', 'a new password for alice'],
    ],
    exitCodes: { ...done, ...refused },
  },
}
