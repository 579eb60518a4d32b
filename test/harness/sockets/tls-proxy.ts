import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { createServer } from 'node:tls'

/**
 * A made-up key and certificate for `localhost`. The official clients open a WebSocket over TLS only. The certificate
 * is no CA: Codex refuses a server whose certificate is one.
 */
export const privateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg58OztBZdzTMjmu9C
bQhpXeBLWmID6MJDDy0qw0HXqX2hRANCAARMNLqcSNE5HbvRlNltpjHdRuFdBBPD
B+UEm/kZvTASEcNaFgBhZB/Q0D5Bcn3kHX8x5typNaTrEBHlAxaWh2wM
-----END PRIVATE KEY-----`

export const certificate = `-----BEGIN CERTIFICATE-----
MIIBrTCCAVSgAwIBAgIUezM+TbpJc7crlYkiHwi/xDK+1b4wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMzIxMTMxOVoYDzIxMjYxMDMw
MjExMzE5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARMNLqcSNE5HbvRlNltpjHdRuFdBBPDB+UEm/kZvTASEcNaFgBhZB/Q
0D5Bcn3kHX8x5typNaTrEBHlAxaWh2wMo4GBMH8wHQYDVR0OBBYEFL1h9mvqqEk3
dN4XNXzYdXQsFM5OMB8GA1UdIwQYMBaAFL1h9mvqqEk3dN4XNXzYdXQsFM5OMBoG
A1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAMBgNVHRMBAf8EAjAAMBMGA1UdJQQM
MAoGCCsGAQUFBwMBMAoGCCqGSM49BAMCA0cAMEQCIBatbuvTOHUrXcJv2etekIP9
9tGK1Wx8juqabVGMXiLeAiAPnZ9S/7bHLX9stIKqNHUIqh3v2NM0UrZzs/2Kn3Cg
QQ==
-----END CERTIFICATE-----`

export type TlsProxy = { port: number; close(): Promise<void> }

/** Ends TLS in front of a gateway, as a reverse proxy does. */
export const startTlsProxy = async (url: string): Promise<TlsProxy> => {
  const { port, hostname } = new URL(url)
  const server = createServer({ key: privateKey, cert: certificate }, incoming => {
    const outgoing = connect(Number(port), hostname)
    incoming.pipe(outgoing).pipe(incoming)
    incoming.on('error', () => outgoing.destroy())
    outgoing.on('error', () => incoming.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
}
