import { z } from 'zod'

const isPublicName = (host: string) =>
  /^[a-z0-9.-]+\.[a-z][a-z0-9-]*$/.test(host) &&
  !/\.(local|localhost|internal|lan|home|arpa)$/.test(host)

const isPictureAddress = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null) return false
  const { protocol, username, password, hostname } = url
  return protocol === 'https:' && username === '' && password === '' && isPublicName(hostname)
}

/**
 * Empty, or the address of a picture. Only browsers fetch it, never this server. An address with an IP or a local name
 * could reach into the network of an administrator who looks at the list of users.
 */
export const Avatar = z
  .string()
  .trim()
  .max(500)
  .refine(
    text => text === '' || isPictureAddress(text),
    'must be an https address with a public host name, without a user name',
  )
