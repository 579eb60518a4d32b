import type { SecurityMutation } from './mutation.ts'

const registerTest = 'apps/server/src/features/sign-in/register.test.ts'
const password = 'apps/server/src/lib/credentials/password.ts'
const passwordTest = 'apps/server/src/lib/credentials/password.test.ts'
const passwordAttempts = 'apps/server/src/core/sign-in/password-attempts.ts'
const signInTest = 'apps/server/src/features/sign-in/sign-in.test.ts'
const knownBrowser = 'apps/server/src/http/sessions/known-browser.ts'
const firstRoot = 'apps/server/src/features/users/first-root.ts'
const appTest = 'apps/server/src/app.test.ts'

/** Guards of names, passwords and their attempts. */
export const passwordMutations: readonly SecurityMutation[] = [
  {
    ids: ['C13'],
    file: 'apps/server/src/features/sign-in/register.ts',
    find: '  refuseCommonPassword(password)\n',
    replace: '',
    test: registerTest,
    title: 'C13 a common password is refused wherever one is chosen',
  },
  {
    ids: ['C13'],
    file: 'apps/server/src/features/profile/update.ts',
    find: '  if (password) refuseCommonPassword(password)\n',
    replace: '',
    test: registerTest,
    title: 'C13 a common password is refused',
  },
  {
    ids: ['C13'],
    file: 'apps/server/src/features/users/create.ts',
    find: '  refuseCommonPassword(password)\n',
    replace: '',
    test: registerTest,
    title: 'C13 a common password is refused',
  },
  {
    ids: ['C13'],
    file: password,
    find: "    ...cost,\n    message: password.normalize('NFC'),",
    replace: "    ...cost,\n    message: password.normalize('NFC').slice(0, 72),",
    also: [
      {
        file: password,
        find: "    parallelism,\n    message: password.normalize('NFC'),",
        replace: "    parallelism,\n    message: password.normalize('NFC').slice(0, 72),",
      },
    ],
    test: passwordTest,
    title: 'every one of 128 characters counts',
  },
  {
    ids: ['C36'],
    file: password,
    find: 'passes: 2',
    replace: 'passes: 1',
    test: passwordTest,
    title: 'a password is hashed by argon2id',
  },
  {
    ids: ['S23'],
    file: password,
    find: 'base64(Buffer.alloc(tagBytes))',
    replace: 'base64(Buffer.alloc(1))',
    test: passwordTest,
    title: 'S23 an unknown name costs what a wrong password costs',
  },
  {
    ids: ['C16'],
    file: 'apps/server/src/features/sign-in/login.ts',
    find: "  if (check === 'wrong' || user.status !== 1) throw new Fault(refusal)\n",
    replace:
      "  if (check === 'wrong') throw new Fault('password.wrong')\n  if (user.status !== 1) throw new Fault(refusal)\n",
    test: 'test/security/secrets.test.ts',
    title: 'S23 C16',
  },
  {
    ids: ['C16'],
    file: 'packages/contract/src/users.ts',
    find: "Username.refine(\n  name => !name.normalize('NFKC').includes('@'),\n  'must not contain @',\n)",
    replace: 'Username',
    test: registerTest,
    title: 'C16 an address as a name',
  },
  {
    ids: ['C15', 'S53'],
    file: passwordAttempts,
    find: `        { key: \`attempts:\${account}\`, limit: accountAttemptsMax },\n`,
    replace: '',
    test: signInTest,
    title: 'S53 C15 a hundred wrong passwords',
  },
  {
    ids: ['C15'],
    file: 'apps/server/src/lib/ip.ts',
    find: 'if (!isIPv6(address)) return address\n  const',
    replace: 'if (isIP(address) !== 0) return address\n  const',
    test: 'apps/server/src/lib/ip.test.ts',
    title: 'limits count an IPv4 address',
  },
  {
    ids: ['S53'],
    file: passwordAttempts,
    find: '  const limits = knownBrowser\n',
    replace: '  const limits = false\n',
    test: signInTest,
    title: 'S53 C15 a hundred wrong passwords',
  },
  {
    ids: ['S53'],
    file: passwordAttempts,
    find: `{ key: \`attempts:\${addressUnit(ip)}:\${account}\`, limit: attemptsMax }`,
    replace: `{ key: \`attempts:\${account}\`, limit: attemptsMax }`,
    test: signInTest,
    title: 'S53 ten wrong passwords lock an account',
  },
  {
    ids: ['S53'],
    file: knownBrowser,
    find: 'return isSigned && Number(expiresAt)',
    replace: 'return Number(expiresAt)',
    test: signInTest,
    title: 'S53 a known browser has ten tries too',
  },
  {
    ids: ['S53'],
    file: knownBrowser,
    find: 'JSON.stringify([userId, id, expiresAt])',
    replace: 'JSON.stringify([id, expiresAt])',
    test: signInTest,
    title: 'S53 a known browser has ten tries too',
  },
  {
    ids: ['S53'],
    file: knownBrowser,
    find: 'JSON.stringify([userId, id, expiresAt])',
    replace: 'JSON.stringify([userId, id])',
    test: signInTest,
    title: 'S53 a known browser has ten tries too',
  },
  {
    ids: ['S54'],
    file: 'apps/server/src/features/sign-in/register.ts',
    find: 'if (!RegisterEnabled || !PasswordRegisterEnabled)',
    replace: 'if (!RegisterEnabled && !PasswordRegisterEnabled)',
    test: registerTest,
    title: 'is closed by either switch',
  },
  {
    ids: ['S54'],
    file: 'apps/server/src/lib/credentials/name-key.ts',
    find: "name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')",
    replace: 'name.toLowerCase()',
    test: registerTest,
    title: 'S54 a name that differs from a taken one',
  },
  {
    ids: ['S54'],
    file: 'apps/server/src/lib/credentials/reserved-names.ts',
    find: 'if (reservedSkeletons.has(skeleton(name)))',
    replace: 'if (reserved.includes(name.toLowerCase()))',
    test: registerTest,
    title: 'S54 a name with invisible characters',
  },
  {
    ids: ['S20'],
    file: firstRoot,
    find: 'initialRootPassword ?? makePassword()',
    replace: "initialRootPassword ?? '123456'",
    test: appTest,
    title: 'S20 C14 no default account opens a server',
  },
  {
    ids: ['S20'],
    file: firstRoot,
    find: 'must_change_password: initialRootPassword ? 0 : 1,',
    replace: 'must_change_password: 0,',
    test: appTest,
    title: 'the first start makes up a password',
  },
  {
    ids: ['C14'],
    file: firstRoot,
    find: '    if (!initialRootPassword) announce(password)\n  })\n',
    replace: '  })\n  if (!initialRootPassword) announce(password)\n',
    test: appTest,
    title: 'a first password that could not be shown is not kept',
  },
  {
    ids: ['S19'],
    file: 'apps/server/src/features/users/reset-password.ts',
    find: 'users.setPassword(tx, user.id, passwordHash, { mustChange: true })',
    replace: 'users.update(tx, user.id, { password_hash: passwordHash, must_change_password: 1 })',
    test: 'test/end-to-end/first-password.test.ts',
    title: 'gives a new password to a running server',
  },
]
