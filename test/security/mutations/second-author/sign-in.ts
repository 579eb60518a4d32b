import type { SecurityMutation } from '../mutation.ts'

const server = 'apps/server/src'
const core = `${server}/core/sign-in`
const features = `${server}/features`
const oidc = `${server}/integrations/sign-in/oidc.ts`

/** A careless colleague could forget this where somebody signs in, shows who they are, or is shut out. */
export const signInMutations: readonly SecurityMutation[] = [
  {
    ids: ['S16'],
    file: `${features}/oauth/flow.ts`,
    find: '!noSubjects.has(subject.trim().toLowerCase())',
    replace: '!noSubjects.has(subject)',
    test: `${features}/oauth-providers/oauth-providers.test.ts`,
    title: 'of a provider of the operator opens no account',
  },
  {
    ids: ['S17'],
    file: `${features}/oauth/wechat.ts`,
    find: '!pending || pending.browser !== context.markedBrowser()',
    replace: '!pending',
    test: `${features}/oauth/wechat.test.ts`,
    title: 'S17 a missing, foreign, late or used state and a used code are refused',
  },
  {
    ids: ['S19'],
    file: `${features}/sign-in/reset-password.ts`,
    find: 'if (user?.status !== 1) throw',
    replace: 'if (!user) throw',
    test: `${features}/sign-in/emails.test.ts`,
    title: 'S19 a link ends after ten minutes, and for an account that was disabled',
  },
  {
    ids: ['S20'],
    file: `${features}/users/first-root.ts`,
    find: 'must_change_password: initialRootPassword ? 0 : 1',
    replace: 'must_change_password: 0',
    test: `${server}/app.test.ts`,
    title: 'the first start makes up a password, shows it once, and asks for another',
  },
  {
    ids: ['S21'],
    file: `${core}/fresh-proof.ts`,
    find: 'hasSecondFactor && !passkey?.isUserVerified',
    replace: 'hasSecondFactor && !passkey',
    test: `${features}/passkeys/passkeys.test.ts`,
    title: 'S21 a passkey without user verification replaces the password, not the second factor',
  },
  {
    ids: ['S22'],
    file: oidc,
    find: '          enableNonRepudiationChecks,\n',
    replace: '',
    test: `${features}/oauth/issuer.test.ts`,
    title: 'S22 C21 a token that somebody else signed, or nobody, is refused',
  },
  {
    ids: ['S23'],
    file: `${features}/sign-in/login.ts`,
    find: 'await verifyUnknownUser(password)',
    replace: "if (!username.includes('@')) await verifyUnknownUser(password)",
    test: `${features}/sign-in/sign-in.test.ts`,
    title: 'S23 C16 an unknown name and a wrong password cost one hash each',
  },
  {
    ids: ['S27'],
    file: `${features}/tokens/administer.ts`,
    find: 'const owner = await getManageableUser(app, caller, ownerId)',
    replace: 'const owner = required(await users.find(app.db, ownerId))',
    test: `${features}/tokens/administer.test.ts`,
    title:
      'S27 no key moves from or to a user of the same or a higher role, nor into a closed group',
  },
  {
    ids: ['S54'],
    file: `${features}/sign-in/bot-check.ts`,
    find: 'hostname: address && new URL(address).hostname',
    replace: 'hostname: undefined',
    test: `${features}/sign-in/bot-check.test.ts`,
    title: 'S54 a token of another form or another site is refused',
  },
  {
    ids: ['C4'],
    file: `${features}/users/update.ts`,
    find: '    if (changesRole) await sessions.endAllOfUser(tx, user.id)\n',
    replace: '',
    test: 'test/security/access.test.ts',
    title:
      'S18 C4 C6 a ban, a demotion, a new password and a sign-out end what they should, at once',
  },
  {
    ids: ['C6'],
    file: `${features}/sign-in/index.ts`,
    find: 'logoutByPost: async (_app, _caller, _input, context) => {\n    await context.endSession()',
    replace: 'logoutByPost: async (_app, _caller, _input, _context) => {',
    test: 'test/security/access.test.ts',
    title:
      'S18 C4 C6 a ban, a demotion, a new password and a sign-out end what they should, at once',
  },
  {
    ids: ['C8'],
    file: `${features}/profile/update.ts`,
    find: 'if (renames || password) await',
    replace: 'if (password) await',
    test: `${features}/sign-in/sign-in.test.ts`,
    title: 'name and password change only for who knows the password',
  },
  {
    ids: ['C13'],
    file: `${features}/sign-in/reset-password.ts`,
    find: '  refuseCommonPassword(password)\n',
    replace: '',
    test: `${features}/sign-in/register.test.ts`,
    title: 'C13 a common password is refused wherever one is chosen',
  },
  {
    ids: ['C14'],
    file: `${features}/users/first-root.ts`,
    find: '    if (!initialRootPassword) announce(password)\n  })',
    replace: '  })\n  if (!initialRootPassword) announce(password)',
    test: `${server}/app.test.ts`,
    title: 'a first password that could not be shown is not kept: the next start makes up another',
  },
  {
    ids: ['C16'],
    file: `${features}/sign-in/login.ts`,
    find: 'const check = await verifyPassword',
    replace:
      'if (user.status !== 1) throw new Fault(refusal)\n  const check = await verifyPassword',
    test: `${features}/sign-in/sign-in.test.ts`,
    title: 'S23 C16 an unknown name and a wrong password cost one hash each',
  },
  {
    ids: ['C17'],
    file: `${core}/one-time-codes.ts`,
    find: 'return opened(app, idHash, await codes.take(db, idHash, codeHash, now))',
    replace: 'return opened(app, idHash, row.payload_sealed)',
    test: 'test/security/sign-in-races.test.ts',
    title: 'C17 one code of an e-mail registers one account, whichever process gets it',
  },
  {
    ids: ['C19'],
    file: `${core}/fresh-proof.ts`,
    find: '  if (needsCode && code !== undefined) await checkSecondFactor(app, context, user.id, code)\n',
    replace: '',
    test: `${features}/sign-in/second-step.test.ts`,
    title: 'S21 C19 an access token is made with the second factor only',
  },
  {
    ids: ['C20'],
    file: `${features}/users/update.ts`,
    find: "  ...(username !== undefined && username !== user.username ? (['username'] as const) : []),\n",
    replace: '',
    test: `${features}/sign-in/emails.test.ts`,
    title: 'the owner is told about another name and new backup codes',
  },
  {
    ids: ['C21'],
    file: oidc,
    find: 'await fetchUserInfo(issuer, tokens.access_token, claims.sub)',
    replace: 'await fetchUserInfo(issuer, tokens.access_token, (await library()).skipSubjectCheck)',
    test: `${features}/oauth/issuer.test.ts`,
    title: 'C21 user information of another subject is refused',
  },
  {
    ids: ['C36'],
    file: `${server}/lib/credentials/password.ts`,
    find: 'const nonce = randomBytes(16)',
    replace: 'const nonce = Buffer.alloc(randomBytes(16).length)',
    test: `${server}/lib/credentials/password.test.ts`,
    title: 'the right password is right, another is wrong, and two hashes of one differ',
  },
]
