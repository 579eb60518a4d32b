/** A string of JSON, which Python and TypeScript read as well. */
export const json = (value: unknown): string => JSON.stringify(value, null, 2)

/** A basic string of TOML: as in JSON, but DEL is escaped too. https://toml.io/en/v1.0.0#string */
export const toml = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007f')

/** Base64 of the UTF-8 bytes. */
export const base64 = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))
