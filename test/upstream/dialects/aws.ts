import type { IncomingMessage } from 'node:http'

/** The one account that the fake vendor knows, and a key of it. */
export const awsKeys = {
  id: 'AKIDEXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  session: 'made-up-session',
  region: 'us-east-1',
}

/** The vendor's own client, for what it knows: how requests are signed and streams are framed. Loaded when it is needed. */
const configOf = async (sessionToken: string | undefined) => {
  const { BedrockRuntimeClient } = await import('@aws-sdk/client-bedrock-runtime')
  const keys = { accessKeyId: awsKeys.id, secretAccessKey: awsKeys.secret }
  return new BedrockRuntimeClient({
    region: awsKeys.region,
    credentials: sessionToken === undefined ? keys : { ...keys, sessionToken },
  }).config
}

/** True for a bearer token, or for the signature that the vendor's own client computes for these bytes. */
export const isSigned = async (request: IncomingMessage, body: Buffer): Promise<boolean> => {
  const { authorization = '', host = '', 'x-amz-date': date } = request.headers
  if (authorization.startsWith('Bearer ')) return authorization.length > 'Bearer '.length
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(String(date))?.map(Number) ?? []
  if (year === undefined) return false
  const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? []
  const shown = names.filter(each => each !== 'x-amz-date' && each !== 'x-amz-security-token')
  const session = request.headers['x-amz-security-token'] && awsKeys.session
  const { signer } = await configOf(session)
  const { sign } = await bound(signer)
  const { hostname, port } = new URL(`http://${host}`)
  const unsigned = {
    method: request.method,
    protocol: 'http:',
    hostname,
    port: Number(port),
    path: request.url,
    query: {},
    headers: Object.fromEntries(shown.map(each => [each, request.headers[each]])),
    body,
  }
  const { headers } = await sign(unsigned, {
    signingDate: new Date(Date.UTC(year, month! - 1, day, hour, minute, second)),
    // The client may cover the body once more by a header of its own.
    unsignableHeaders: new Set(
      shown.includes('x-amz-content-sha256') ? [] : ['x-amz-content-sha256'],
    ),
  })
  return headers.authorization === authorization
}

type Sign = (
  request: object,
  options: object,
) => Promise<{ headers: Record<string, string | undefined> }>

const bound = async (signerOf: unknown): Promise<{ sign: Sign }> => {
  const scheme = { name: 'sigv4', signingName: 'bedrock', signingRegion: awsKeys.region }
  const make = signerOf as (scheme: object) => Promise<{ sign: Sign }>
  const signer = await make({ ...scheme, properties: {} })
  return { sign: (request, options) => signer.sign(request, options) }
}

/** An event's name and payload. */
export type AwsEvent = readonly [name: string, payload: unknown]

const text = (value: string) => ({ type: 'string' as const, value })

/** A message as the vendor's own client frames it; an event named exception becomes an exception frame. */
export const awsFrame = async (event: AwsEvent): Promise<Buffer> => {
  const { eventStreamMarshaller } = await configOf(undefined)
  const chunks: Uint8Array[] = []
  const one = async function* () {
    yield event
  }
  const framed = eventStreamMarshaller.serialize(one(), ([name, payload]: AwsEvent) => {
    const type = name.endsWith('Exception') ? 'exception' : 'event'
    return {
      headers: {
        ':message-type': text(type),
        [`:${type}-type`]: text(name),
        ':content-type': text('application/json'),
      },
      body: Buffer.from(JSON.stringify(payload)),
    }
  })
  for await (const chunk of framed) chunks.push(chunk)
  return Buffer.concat(chunks)
}
