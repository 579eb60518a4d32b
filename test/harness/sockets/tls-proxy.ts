import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { createServer } from 'node:tls'

/** A made-up key and certificate for `localhost`. The official clients open a WebSocket over TLS only. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgeWoegshLbJKc5E96
Pc+gbXJUpLEu8/Hi6sUKENEomduhRANCAAR2K4NDryuC2f1z0KuySm/COANN/yAk
9n69VIzZM5sAcPMmGm5u1kNyGTPw/gSLW+iywurS5wUNeRpZ6fA72D+J
-----END PRIVATE KEY-----`

export const certificate = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUEwEv8qtLJD9DEebMKCFtU0TiRHswCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMzE5MjczM1oYDzIxMjYxMDMw
MTkyNzMzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAR2K4NDryuC2f1z0KuySm/COANN/yAk9n69VIzZM5sAcPMmGm5u1kNy
GTPw/gSLW+iywurS5wUNeRpZ6fA72D+Jo28wbTAdBgNVHQ4EFgQUMxRd1NWE9dAR
PIBufr9vjmdAeEswHwYDVR0jBBgwFoAUMxRd1NWE9dARPIBufr9vjmdAeEswDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhAK0ZBprY6z+IC8viTgkumaYiUl6gL3m4/agwg+VA85i5AiBR
yI99hV2trI71aqodhhylFrvQV9W7TiPz0lz0jgwNIw==
-----END CERTIFICATE-----`

export type TlsProxy = { port: number; close(): Promise<void> }

/** Ends TLS in front of a gateway, as a reverse proxy does. */
export const startTlsProxy = async (url: string): Promise<TlsProxy> => {
  const { port, hostname } = new URL(url)
  const server = createServer({ key, cert: certificate }, incoming => {
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
