import { type ChannelConfig, secret } from '../define.ts'
import type { Sign } from '../signing.ts'
import { signWithSigV4 } from '../sigv4.ts'

export const keyHint = 'Region|AccessKeyID|SecretAccessKey|SessionToken, or Region|API key'

export const regionOf = ({ credential }: ChannelConfig) => ({ region: credential.split('|')[0] })

export const awsCredential = () =>
  secret()
    .regex(/^[\w-]+\|[^|]+(\|[^|]+(\|[^|]*)?)?$/)
    .meta({ secret: true, label: 'Region|AccessKeyID|SecretAccessKey' })

/** Access keys sign the request for the service; an API key is sent as `signWithApiKey` does. */
export const signForService =
  (service: string, signWithApiKey: Sign): Sign =>
  (context, credential, outgoing) => {
    const [region = '', id = '', key, token] = credential.split('|')
    if (!key || !outgoing) return signWithApiKey(context, id, outgoing)
    return signWithSigV4(service, { region, id, secret: key, token }, context, outgoing)
  }
