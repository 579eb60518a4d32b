import type { SecurityMutation } from '../mutation.ts'

const folder = 'apps/server/src/features/oauth'
const oauthTest = `${folder}/oauth.test.ts`
const providersTest = 'apps/server/src/features/oauth-providers/oauth-providers.test.ts'
const bindingsTest = `${folder}/bindings.test.ts`
const issuerTest = `${folder}/issuer.test.ts`
const flow = `${folder}/flow.ts`
const oidc = 'apps/server/src/integrations/sign-in/oidc.ts'
const stateTitle = 'a missing, made-up, used, foreign or late state'

/** Guards of sign-ins by third parties. */
export const thirdPartyMutations: readonly SecurityMutation[] = [
  {
    ids: ['S16'],
    file: `${folder}/sign-in.ts`,
    find: "  if (email && (await users.findByEmail(app.db, email))) throw new Fault('oauth.email_taken')\n",
    replace:
      '  const linked = email ? await users.findByEmail(app.db, email) : undefined\n  if (linked) return linked.id\n',
    test: oauthTest,
    title: 'S16 a name or an address of somebody else',
  },
  {
    ids: ['S16'],
    file: 'apps/server/src/integrations/sign-in/github.ts',
    find: 'each.primary && each.verified',
    replace: 'each.primary',
    test: oauthTest,
    title: 'S16 a name or an address of somebody else',
  },
  {
    ids: ['S16'],
    file: flow,
    find: '!noSubjects.has(subject.trim().toLowerCase())',
    replace: "subject !== '-'",
    test: oauthTest,
    title: 'S16 an account without an id is refused',
  },
  {
    ids: ['S16'],
    file: flow,
    find: 'subject.trim().toLowerCase()',
    replace: 'subject',
    test: providersTest,
    title: 'S16 the subject',
  },
  {
    ids: ['S16'],
    file: flow,
    find: "['', '0', '-1', ",
    replace: "['', '-1', ",
    test: providersTest,
    title: 'S16 the subject',
  },
  {
    ids: ['S16'],
    file: 'apps/server/src/integrations/sign-in/claims.ts',
    find: "value === true || value === 'true'",
    replace: 'Boolean(value)',
    test: oauthTest,
    title: 'S16 a name or an address of somebody else',
  },
  {
    ids: ['S16'],
    file: 'apps/server/src/integrations/sign-in/github.ts',
    find: 'subject: String(user.id)',
    replace: 'subject: user.login',
    test: oauthTest,
    title: 'S16 the number of a GitHub account counts',
  },
  {
    ids: ['S16', 'C21'],
    file: oidc,
    find: 'authority: claims.iss,',
    replace: "authority: '',",
    test: issuerTest,
    title: 'S16 C21 the same subject of another issuer',
  },
  {
    ids: ['S17'],
    file: flow,
    find: " || payload.browser !== context.markedBrowser()) throw new Fault('oauth.state')",
    replace: ") throw new Fault('oauth.state')",
    test: oauthTest,
    title: stateTitle,
  },
  {
    ids: ['S17'],
    file: flow,
    find: "await redeemToken(app, app.db, 'oauth-state', state)",
    replace: "await attemptToken(app, 'oauth-state', state)",
    also: [
      {
        file: flow,
        find: 'type OneTimePayloads, redeemToken }',
        replace: 'type OneTimePayloads, attemptToken }',
      },
    ],
    test: oauthTest,
    title: 'S17 one state sent eight times',
  },
  {
    ids: ['S17'],
    file: flow,
    find: "  if (!isForProvider) throw new Fault('oauth.state')\n",
    replace: "  if (isForProvider === undefined) throw new Fault('oauth.state')\n",
    test: oauthTest,
    title: 'S17 a state without PKCE serves a page',
  },
  {
    ids: ['S17'],
    file: `${folder}/index.ts`,
    find: '  if (userId !== 0 && (caller?.userId !== userId || context.sessionHash() !== session))\n',
    replace: '  if (userId !== 0 && session === undefined)\n',
    test: bindingsTest,
    title: 'S17 S21 a binding needs fresh proof',
  },
  {
    ids: ['S17', 'S21'],
    file: `${folder}/index.ts`,
    find: `    await requireFreshProof(app, context, required(await users.find(app.db, userId)), proof)
    return beginAuthorization`,
    replace: '    return beginAuthorization',
    test: bindingsTest,
    title: 'S17 S21 a binding needs fresh proof',
  },
  {
    ids: ['S21'],
    file: `${folder}/index.ts`,
    find: `    await requireFreshProof(app, context, required(await users.find(app.db, userId)), proof)
    await unbindAccount`,
    replace: '    await unbindAccount',
    test: bindingsTest,
    title: 'S21 removing an account needs fresh proof',
  },
  {
    ids: ['S22'],
    file: oidc,
    find: '          enableNonRepudiationChecks,\n',
    replace: '',
    test: issuerTest,
    title: 'S22 C21 a token that somebody else signed',
  },
  {
    ids: ['C21', 'S22'],
    file: oidc,
    find: '      expectedNonce: nonce,\n',
    replace: '',
    test: issuerTest,
    title: 'S16 S22 C21 a token with any wrong claim',
  },
  {
    ids: ['C21'],
    file: oidc,
    find: ', ...(iss && { iss })',
    replace: ', iss: issuer.serverMetadata().issuer',
    test: issuerTest,
    title: 'C21 an answer that must name its issuer',
  },
  {
    ids: ['S4'],
    file: `${folder}/network.ts`,
    find: '    if (!isPrivateAllowed) checkHost(new URL(url).hostname)\n',
    replace: '',
    test: issuerTest,
    title: 'S4 private addresses are not called',
  },
  {
    ids: ['C20'],
    file: `${folder}/bindings.ts`,
    find: "    await notifyOwner(app, tx, user, 'identity-added', context)\n",
    replace: '',
    test: bindingsTest,
    title: 'C20 the owner is notified of an account',
  },
  {
    ids: ['C20'],
    file: `${folder}/bindings.ts`,
    find: "    await notifyOwner(app, tx, user, 'identity-removed', context)\n",
    replace: '',
    test: bindingsTest,
    title: 'C20 the owner is notified of an account',
  },
  {
    ids: ['C20'],
    file: 'apps/server/src/features/telegram/binding.ts',
    find: "      await notifyOwner(app, tx, user, 'telegram-added', payload)\n",
    replace: '',
    test: 'apps/server/src/features/telegram/telegram.test.ts',
    title: 'S21 C20 a link and its removal',
  },
  {
    ids: ['C20'],
    file: 'apps/server/src/features/telegram/binding.ts',
    find: "    await notifyOwner(app, tx, user, 'telegram-removed', context)\n",
    replace: '',
    test: 'apps/server/src/features/telegram/telegram.test.ts',
    title: 'S21 C20 a link and its removal',
  },
]
