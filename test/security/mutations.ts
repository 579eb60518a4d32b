type Edit = {
  file: string
  /** Occurs exactly once in the file. */
  find: string
  replace: string
}

/** A guard taken out of the source, and the test that must fail without it. */
export type SecurityMutation = Edit & {
  /** A line of `docs/security.md`. */
  id: string
  test: string
  /** Part of the title of a test in that file. */
  title: string
  /** More edits, where the guard stands in several places. */
  also?: readonly Edit[]
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
  {
    id: 'S38',
    file: 'apps/server/src/lib/seal.ts',
    find: 'Buffer.from(JSON.stringify([version, purpose, context]))',
    replace: 'Buffer.from(JSON.stringify([version]))',
    test: 'apps/server/src/features/channels/secrets.test.ts',
    title: 'S38 a sealed key moved to another row does not open',
  },
  {
    id: 'S38',
    file: 'apps/server/src/lib/seal.ts',
    find: 'Buffer.from(JSON.stringify([version, purpose, context]))',
    replace: 'Buffer.from(JSON.stringify([version, purpose]))',
    test: 'apps/server/src/lib/seal.test.ts',
    title: 'a sealed text does not open in another row, for another purpose or',
  },
  {
    id: 'S12',
    file: 'apps/server/src/http/security-headers.ts',
    find: `'script-src': ["'self'"]`,
    replace: `'script-src': ["'self'", "'unsafe-inline'", "'unsafe-eval'", '*']`,
    test: 'test/security/untrusting.test.ts',
    title: 'C12 S12 the content security policy',
  },
  {
    id: 'S43',
    file: 'apps/server/src/relay/request/body.ts',
    find: "if (!isJson(headers['content-type']))",
    replace: 'if (false)',
    test: 'test/security/wire.test.ts',
    title: 'S43 a content type is read as JSON or refused, never half of both',
  },
  {
    id: 'C41',
    file: 'apps/server/src/http/reply.ts',
    find: 'send(errorBody(request.url, code, message))',
    replace: 'send(errorBody(request.url, code, message + String((fault.cause as Error)?.stack)))',
    test: 'apps/server/src/http/server.test.ts',
    title: 'C12 C40 C41 a failure of the server is a 500',
  },
  {
    id: 'S15',
    file: 'apps/server/src/relay/auth/token-cache.ts',
    find: 'tokens.set(key, token)',
    replace: 'tokens.set(key.slice(0, 20), token)',
    also: [
      {
        file: 'apps/server/src/relay/auth/token-cache.ts',
        find: 'peek: key => tokens.get(key)',
        replace: 'peek: key => tokens.get(key.slice(0, 20))',
      },
    ],
    test: 'test/security/who-calls.test.ts',
    title: 'S15 S47 a key that shares any part',
  },
  {
    id: 'S18',
    file: 'apps/server/src/features/users/manage.ts',
    find: 'await users.update(tx, id, values)\n    await sessions.endAllOfUser(tx, id)',
    replace: 'await users.update(tx, id, values)',
    test: access,
    title: 'S18 C4 C6 a ban, a demotion',
  },
  {
    id: 'C4',
    file: 'apps/server/src/features/users/update.ts',
    find: 'if (changesRole) await sessions.endAllOfUser(tx, user.id)',
    replace: '',
    test: access,
    title: 'S18 C4 C6 a ban, a demotion',
  },
  {
    id: 'C7',
    file: 'apps/server/src/db/queries/users.ts',
    find: 'access_token_hash: null })\n  await sessions.endAllOfUser(db, id)',
    replace: 'access_token_hash: null })',
    test: 'apps/server/src/http/sessions/session.test.ts',
    title: 'changing the own password ends the other sessions',
  },
  {
    id: 'S20',
    file: 'apps/server/src/features/users/first-root.ts',
    find: 'initialRootPassword ?? makePassword()',
    replace: "initialRootPassword ?? '123456'",
    test: 'apps/server/src/app.test.ts',
    title: 'S20 C14 no default account opens a server',
  },
  {
    id: 'S25',
    file: 'packages/contract/src/input.ts',
    find: '  refuseUnknownFields(endpoint, fields)\n',
    replace: '',
    test: 'apps/server/src/features/sign-in/register.test.ts',
    title: 'takes no role, no group and no quota from whoever asks',
  },
  {
    id: 'S2',
    file: 'apps/server/src/relay/upstream/connection-pool.ts',
    find: 'checkHost(new URL(origin).hostname)',
    replace: '',
    test: 'apps/server/src/features/channels/secrets.test.ts',
    title: 'S2 S3 a channel at a private address',
  },
  {
    id: 'S3',
    file: 'apps/server/src/relay/upstream/addresses.ts',
    find: "  '127.0.0.0/8',\n",
    replace: '',
    test: 'apps/server/src/features/channels/secrets.test.ts',
    title: 'S2 S3 a channel at a private address',
  },
  {
    id: 'S37',
    file: 'apps/server/src/relay/attempt.ts',
    find: 'body: scrub(body, source)',
    replace: 'body',
    test: 'apps/server/src/relay/error-log/error-log.test.ts',
    title: 'S37 an error that is passed on to the caller',
  },
  {
    id: 'S37',
    file: 'apps/server/src/relay/upstream/upstream-error.ts',
    find: 'dialect.decodeFault(scrub(body, source))',
    replace: 'dialect.decodeFault(body)',
    test: 'apps/server/src/relay/error-log/error-log.test.ts',
    title: 'S37 a call that failed at each channel',
  },
  {
    id: 'S28',
    file: 'apps/server/src/http/sessions/session.ts',
    find: "request.headers.authorization?.replace(/^Bearer /i, '').trim()",
    replace:
      "(request.headers.authorization ?? (request.query as { token?: string }).token)?.replace(/^Bearer /i, '').trim()",
    test: 'test/security/secrets.test.ts',
    title: 'S28 no credential is part of an address',
  },
  {
    id: 'S23',
    file: 'apps/server/src/lib/credentials/password.ts',
    find: 'base64(Buffer.alloc(tagBytes))',
    replace: 'base64(Buffer.alloc(1))',
    test: 'apps/server/src/lib/credentials/password.test.ts',
    title: 'S23 an unknown name costs what a wrong password costs',
  },
  {
    id: 'S26',
    file: 'apps/server/src/features/tokens/token.ts',
    find: 'rows.find(app.db, userId, id)',
    replace:
      "rows.find(app.db, (await app.db.selectFrom('tokens').select('user_id').where('id', '=', id).executeTakeFirst())?.user_id ?? userId, id)",
    test: access,
    title: 'S26 C2 an id of another user is 404',
  },
  {
    id: 'C2',
    file: 'apps/server/src/features/logs/receipt.ts',
    find: 'row.user_id !== caller.userId && caller.role < adminRole',
    replace: 'false',
    test: 'test/security/access.test.ts',
    title: 'S26 C2 an id of another user is 404',
  },
  {
    id: 'C11',
    file: 'apps/server/src/http/access.ts',
    find: "if (site !== undefined) throw new Fault('session.cross_origin')",
    replace: '',
    test: 'test/security/untrusting.test.ts',
    title: 'S49 C11 a write that another site made',
  },
  {
    id: 'S27',
    file: 'apps/server/src/features/users/rank.ts',
    find: "if (caller.role !== roles.root && user.role >= caller.role) throw new Fault('user.rank')",
    replace: '',
    test: 'test/security/access.test.ts',
    title: 'S27 an administrator cannot change a user',
  },
  {
    id: 'C10',
    file: 'apps/server/src/http/sessions/session.ts',
    find: 'httpOnly: true',
    replace: 'httpOnly: false',
    test: 'apps/server/src/http/sessions/session.test.ts',
    title: 'the cookie is Secure and __Host- on this machine',
  },
  {
    id: 'C8',
    file: 'apps/server/src/features/profile/index.ts',
    find: 'await checkCurrentPassword(app, context, await getSelf(app, userId), current_password)',
    replace: '',
    test: 'apps/server/src/features/profile/profile.test.ts',
    title: 'C8 an access token needs the current password',
  },
  {
    id: 'C13',
    file: 'apps/server/src/features/sign-in/register.ts',
    find: '  refuseCommonPassword(password)\n',
    replace: '',
    test: 'apps/server/src/features/sign-in/register.test.ts',
    title: 'C13 a common password is refused wherever one is chosen',
  },
  {
    id: 'C36',
    file: 'apps/server/src/lib/credentials/password.ts',
    find: 'passes: 2',
    replace: 'passes: 1',
    test: 'apps/server/src/lib/credentials/password.test.ts',
    title: 'a password is hashed by argon2id',
  },
  {
    id: 'C12',
    file: 'apps/server/src/http/security-headers.ts',
    find: "referrerPolicy: { policy: 'same-origin' }",
    replace: "referrerPolicy: { policy: 'unsafe-url' }",
    test: 'test/security/untrusting.test.ts',
    title: 'C12 every answer of the console carries its protections',
  },
]
