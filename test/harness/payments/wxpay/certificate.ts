import { type KeyObject, sign } from 'node:crypto'

const tlv = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  const size = content.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}
const sequence = (...parts: Buffer[]) => tlv(0x30, ...parts)
const hex = (text: string) => Buffer.from(text, 'hex')

/** sha256WithRSAEncryption. */
const algorithm = sequence(tlv(0x06, hex('2a864886f70d01010b')), tlv(0x05))
const name = sequence(
  tlv(0x31, sequence(tlv(0x06, hex('550403')), tlv(0x0c, Buffer.from('Tenpay.com Root CA')))),
)
const time = (seconds: number) =>
  tlv(0x18, Buffer.from(new Date(seconds * 1000).toISOString().replace(/[-:T]|\.\d+/g, '')))

/** Makes an X.509 certificate that its own key signs; Node reads certificates but makes none. RFC 5280, section 4.1. */
export const makeCertificate = (
  pair: { publicKey: KeyObject; privateKey: KeyObject },
  serial: string,
  validTo: number,
): string => {
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, hex(serial)),
    algorithm,
    name,
    sequence(time(0), time(validTo)),
    name,
    pair.publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = tlv(0x03, Buffer.from([0]), sign('sha256', body, pair.privateKey))
  const base64 = sequence(body, algorithm, signature).toString('base64')
  const wrapped = base64.match(/.{1,64}/g)!.join('\n')
  return `-----BEGIN CERTIFICATE-----\n${wrapped}\n-----END CERTIFICATE-----\n`
}
