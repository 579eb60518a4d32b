import type { SecurityMutation } from './mutation.ts'

const feature = 'apps/server/src/features/sign-in/bot-check.ts'
const turnstile = 'apps/server/src/integrations/bot-check/turnstile.ts'
const signIn = 'apps/server/src/features/sign-in/index.ts'
const test = 'apps/server/src/features/sign-in/bot-check.test.ts'
const weChatTest = 'apps/server/src/features/oauth/wechat.test.ts'

/** Guards against bots, and of the codes that registrations need. */
export const botCheckMutations: readonly SecurityMutation[] = [
  {
    ids: ['S16'],
    file: 'apps/server/src/features/oauth/wechat.ts',
    find: "  if (!isSubject(subject)) throw new Fault('wechat.code_wrong')\n",
    replace: '',
    test: weChatTest,
    title: 'S16 the empty answer to a wrong code is nobody',
  },
  {
    ids: ['S17'],
    file: 'apps/server/src/features/oauth/wechat.ts',
    find: ' || pending.browser !== context.markedBrowser()',
    replace: '',
    test: weChatTest,
    title: 'S17 a missing, foreign, late or used state and a used code',
  },
  {
    ids: ['C17'],
    file: 'apps/server/src/features/sign-in/register.ts',
    find: "  if (email && !(await redeemCode(app, app.db, 'verify-email', email, verification_code)))\n    throw new Fault('mail.code_wrong')\n",
    replace: '',
    test: 'test/security/sign-in-races.test.ts',
    title: 'C17 one code of an e-mail registers one account',
  },
  {
    ids: ['S54'],
    file: signIn,
    find: "    await requireBotCheck(app, context, 'login', turnstile)\n",
    replace: '',
    test,
    title: 'S54 no form goes on without a token of its own',
  },
  {
    ids: ['S54'],
    file: turnstile,
    find: ' && result.action === check.action',
    replace: '',
    test,
    title: 'S54 a token of another form or another site',
  },
  {
    ids: ['S54'],
    file: turnstile,
    find: 'check.hostname === undefined || result.hostname === check.hostname',
    replace: 'true',
    test,
    title: 'S54 a token of another form or another site',
  },
  {
    ids: ['S54'],
    file: feature,
    find: "  if (result === 'refused') throw new Fault('turnstile.refused')\n",
    replace: "  if (result === 'refused') return\n",
    test,
    title: 'S54 one token signs up one account',
  },
  {
    ids: ['S54'],
    file: feature,
    find: "  if (!turnstile.TurnstileOutageAllowed) throw new Fault('turnstile.unavailable')\n",
    replace: '',
    test,
    title: 'S54 without an answer of the service',
  },
]
