import { createHash, createHmac } from 'node:crypto'
import type { AuthFields, OutgoingRequest, SigningContext } from './signing.ts'

/** Long-lived keys have no `token`. */
export type AwsCredentials = {
  region: string
  id: string
  secret: string
  token?: string | undefined
}

/**
 * Signs method, path, query and body with AWS Signature Version 4. Returns the headers to add. `path` is percent-encoded as
 * it is sent, and each query parameter has a `=`; other headers of the request are not covered.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 * S3: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export const signWithSigV4 = (
  service: string,
  { region, id, secret, token }: AwsCredentials,
  { now }: SigningContext,
  { method, origin, path, body }: OutgoingRequest,
): AuthFields => {
  const timestamp = new Date(now()).toISOString().replace(/[-:]|\.\d+/g, '')
  const day = timestamp.slice(0, 8)
  const isS3 = service === 's3'
  const contentHash = sha256(body ?? '')
  const headers: Record<string, string> = {
    host: new URL(origin).host,
    ...(isS3 ? { 'x-amz-content-sha256': contentHash } : {}),
    'x-amz-date': timestamp,
    ...(token ? { 'x-amz-security-token': token } : {}),
  }
  const names = Object.keys(headers).join(';')
  const [pathname = '', query = ''] = path.split('?')
  const canonical = [
    method,
    // Every service except S3 requires the path encoded twice.
    isS3 ? pathname : pathname.split('/').map(encodeSegment).join('/'),
    query.split('&').sort().join('&'),
    ...Object.entries(headers).map(([name, value]) => `${name}:${value}`),
    '',
    names,
    contentHash,
  ].join('\n')
  const scope = `${day}/${region}/${service}/aws4_request`
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`)
  const stringToSign = ['AWS4-HMAC-SHA256', timestamp, scope, sha256(canonical)].join('\n')
  const signature = hmac(key, stringToSign).toString('hex')
  // The HTTP client sends the host header itself.
  const { host: _, ...sentHeaders } = headers
  const authorization = `AWS4-HMAC-SHA256 Credential=${id}/${scope}, SignedHeaders=${names}, Signature=${signature}`
  return { headers: { ...sentHeaders, authorization }, query: {} }
}

const sha256 = (data: string | Uint8Array): string =>
  createHash('sha256').update(data).digest('hex')

const hmac = (key: string | Buffer, data: string): Buffer =>
  createHmac('sha256', key).update(data).digest()

/** Leaves only the unreserved characters of RFC 3986 as they are. */
const encodeSegment = (segment: string): string =>
  encodeURIComponent(segment).replace(
    /[!'()*]/g,
    sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
