import { Fault } from '@hub/contract'
import type pg from 'pg'
import type { ErrorParts } from '../../engine.ts'

type Address = { host: string; place: string; user: string; database: string }

/** Names the parts of an address. No sentence contains its password. */
const addressOf = (databaseUrl: string): Address => {
  const { hostname, port, pathname, username, searchParams } = new URL(databaseUrl)
  const host = decodeURIComponent(hostname) || searchParams.get('host') || 'localhost'
  const user = decodeURIComponent(username) || searchParams.get('user') || ''
  const place = `${host}:${port || searchParams.get('port') || 5432}`
  return { host, place, user, database: decodeURIComponent(pathname.slice(1)) || user }
}

const unreachable = ({ place }: Address) =>
  `${place} does not answer. Check the address, the network and its firewall.`
const ended = ({ place }: Address) =>
  `${place} ended the connection: it may be starting, or be no PostgreSQL. Check the address, then try again.`
const unknownHost = ({ host }: Address) =>
  `the host ${host} is unknown. Correct its name, or look at the name server.`
const certificate = ({ place }: Address) =>
  `the certificate of ${place} cannot be verified. Give its authority with sslrootcert, or change sslmode.`

/** Codes of Node, and states: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const sentences: Record<string, (address: Address) => string> = {
  ECONNREFUSED: ({ place }) =>
    `no PostgreSQL listens at ${place}. Start it, or correct the address.`,
  ENOENT: ({ host }) =>
    `there is no socket of PostgreSQL in ${host}. Start it, or correct the path.`,
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  ETIMEDOUT: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ECONNRESET: ended,
  EPIPE: ended,
  SELF_SIGNED_CERT_IN_CHAIN: certificate,
  DEPTH_ZERO_SELF_SIGNED_CERT: certificate,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: certificate,
  CERT_HAS_EXPIRED: certificate,
  ERR_TLS_CERT_ALTNAME_INVALID: certificate,
  '3D000': ({ database, place }) =>
    `there is no database "${database}" at ${place}. Create it, or correct the name.`,
  '28P01': ({ user, place }) =>
    `the password of the user "${user}" is wrong at ${place}. Correct it.`,
  '28000': ({ user, place }) =>
    `the user "${user}" may not connect at ${place}. Create it, or allow it in pg_hba.conf.`,
  '42501': ({ user, database }) =>
    `the user "${user}" may not create tables in the database "${database}". Make it the owner of the database.`,
  '53300': ({ place }) =>
    `${place} has no connection left. Raise max_connections, or stop other programs.`,
  '53100': ({ place }) =>
    `the disk of ${place} is full. Free space there and start again; nothing that was stored is lost.`,
  '57P03': ({ place }) => `${place} is starting or stopping. Try again in a moment.`,
  '57P01': ended,
  '25006': ({ place }) => `${place} takes no writes. Name the primary, not a standby.`,
  '55P03': ({ database }) =>
    `another program has locked a table of "${database}" for too long. Try again, or end that program.`,
}

/** Errors of the client that have no code. */
const byMessage: readonly [pattern: RegExp, sentence: (address: Address) => string][] = [
  [/timeout/i, unreachable],
  [/terminated/i, ended],
  [
    /does not support SSL/,
    ({ place }) => `it asks for TLS, which ${place} has not. Remove sslmode from it.`,
  ],
  [
    /password must be a (non-empty )?string/,
    ({ user }) => `it lacks the password of the user "${user}". Add it.`,
  ],
]

/** Undefined: the error is a defect of a statement, or unknown. */
export const postgresProblem = (
  { code, message }: ErrorParts,
  databaseUrl: string,
): string | undefined => {
  const address = addressOf(databaseUrl)
  const sentence =
    sentences[String(code)] ??
    (code === undefined
      ? byMessage.find(([pattern]) => pattern.test(String(message)))?.[1]
      : undefined)
  return sentence && `DATABASE_URL: ${sentence(address)}`
}

/** Migrations use what this release has: https://www.postgresql.org/docs/14/release-14.html */
const oldestVersion = 14

/** Asks for the version, so that a wrong address fails before anything else is tried. */
export const checkServer = async (pool: pg.Pool, databaseUrl: string): Promise<void> => {
  const { rows } = await pool.query<{ server_version_num: string }>('show server_version_num')
  const major = Math.floor(Number(rows[0]?.server_version_num) / 10_000)
  if (major >= oldestVersion) return
  throw new Fault('env.invalid', {
    hint: `DATABASE_URL: ${addressOf(databaseUrl).place} is PostgreSQL ${major}, and ${oldestVersion} is the oldest that works. Upgrade it.`,
  })
}
