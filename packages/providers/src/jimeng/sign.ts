import { createHash, createHmac } from 'node:crypto'
import type { Sign } from '../signing.ts'

const region = 'cn-north-1'
const service = 'cv'
const contentType = 'application/json'

const sha256 = (data: string | Uint8Array): string =>
  createHash('sha256').update(data).digest('hex')

const hmac = (key: string | Buffer, data: string): Buffer =>
  createHmac('sha256', key).update(data).digest()

/** Signs method, path, query and body with `accessKey|secretKey`: https://www.volcengine.com/docs/6369/67269 */
export const signVisual: Sign = ({ now }, credential, outgoing) => {
  const [accessKey = '', secretKey = ''] = credential.split('|')
  const { method, origin, path, body } = outgoing ?? {
    ...{ method: 'POST', origin: 'https://visual.volcengineapi.com', path: '/', body: null },
  }
  const timestamp = new Date(now()).toISOString().replace(/[-:]|\.\d+/g, '')
  const day = timestamp.slice(0, 8)
  const sent = {
    'content-type': contentType,
    'x-content-sha256': sha256(body ?? ''),
    'x-date': timestamp,
  }
  const signed = Object.entries({ ...sent, host: new URL(origin).host }).sort()
  const names = signed.map(([name]) => name).join(';')
  const [pathname, query = ''] = path.split('?')
  const canonical = [
    ...[method, pathname, query.split('&').sort().join('&')],
    ...signed.map(([name, value]) => `${name}:${value}`),
    ...['', names, sent['x-content-sha256']],
  ].join('\n')
  const scope = `${day}/${region}/${service}/request`
  const key = [day, region, service, 'request'].reduce<string | Buffer>(hmac, secretKey)
  const stringToSign = ['HMAC-SHA256', timestamp, scope, sha256(canonical)].join('\n')
  const signature = hmac(key, stringToSign).toString('hex')
  const authorization = `HMAC-SHA256 Credential=${accessKey}/${scope}, SignedHeaders=${names}, Signature=${signature}`
  return { headers: { ...sent, authorization }, query: {} }
}
