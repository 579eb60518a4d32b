import { readFileSync } from 'node:fs'

/** The text of a key, or undefined if there is none. A folder that is a file has none either. */
export const readKeyFile = (
  file: string,
  refuse: (problem: string) => never,
): string | undefined => {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    return refuse(`has a key that cannot be read: ${message}.`)
  }
}

/** Reads 32 bytes in hex or base64. Undefined: it is something else, or a placeholder of equal bytes. */
export const parseKey = (value: string): Buffer | undefined => {
  const bytes = /^[0-9a-f]{64}$/i.test(value)
    ? Buffer.from(value, 'hex')
    : Buffer.from(value, 'base64')
  const isDefault = bytes.every(byte => byte === bytes[0])
  return bytes.length === 32 && !isDefault ? bytes : undefined
}
