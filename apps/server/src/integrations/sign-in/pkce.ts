import { createHash } from 'node:crypto'

/** The challenge of RFC 7636 for a code verifier; nothing without one. */
export const challengeOf = (codeVerifier: string): Record<string, string> =>
  codeVerifier === ''
    ? {}
    : {
        code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
        code_challenge_method: 'S256',
      }
