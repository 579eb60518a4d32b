import { createHash, createHmac } from 'node:crypto'
import type { Kit, Outgoing, Signature } from './signing.ts'

/** Long-lived keys have no `token`. */
export type AwsKeys = { region: string; id: string; secret: string; token?: string | undefined }

/**
 * AWS Signature Version 4 of a whole request, in headers.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export const sigv4 = (
  service: string,
  { region, id, secret, token }: AwsKeys,
  { now }: Kit,
  { method, origin, path, body }: Outgoing,
): Signature => {
  const at = new Date(now()).toISOString().replace(/[-:]|\.\d+/g, '')
  const day = at.slice(0, 8)
  const headers: Record<string, string> = {
    host: new URL(origin).host,
    'x-amz-date': at,
    ...(token ? { 'x-amz-security-token': token } : {}),
  }
  const names = Object.keys(headers).join(';')
  const [place = '', query = ''] = path.split('?')
  const canonical = [
    method,
    // Encoded once more, as every service but S3 wants it.
    place.split('/').map(encoded).join('/'),
    query.split('&').sort().join('&'),
    ...Object.entries(headers).map(([name, value]) => `${name}:${value}`),
    '',
    names,
    sha256(body ?? ''),
  ].join('\n')
  const scope = `${day}/${region}/${service}/aws4_request`
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`)
  const said = ['AWS4-HMAC-SHA256', at, scope, sha256(canonical)].join('\n')
  const signature = hmac(key, said).toString('hex')
  // The connection says the host itself.
  const { host: _, ...shown } = headers
  const authorization = `AWS4-HMAC-SHA256 Credential=${id}/${scope}, SignedHeaders=${names}, Signature=${signature}`
  return { headers: { ...shown, authorization }, query: {} }
}

const sha256 = (data: string | Uint8Array): string =>
  createHash('sha256').update(data).digest('hex')

const hmac = (key: string | Buffer, data: string): Buffer =>
  createHmac('sha256', key).update(data).digest()

/** What RFC 3986 leaves as it is, and nothing else. */
const encoded = (segment: string): string =>
  encodeURIComponent(segment).replace(
    /[!'()*]/g,
    sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
