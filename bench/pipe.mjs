// The measure: a relay that knows nothing. node:http in, undici `dispatch` out, bytes through.
import http from 'node:http'
import { Pool } from 'undici'

const upstream = new Pool(process.env.UPSTREAM, { connections: 4096, pipelining: 1 })

const server = http.createServer((req, res) => {
  const chunks = []
  req.on('data', chunk => chunks.push(chunk))
  req.on('end', () => {
    const body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
    upstream.dispatch(
      {
        method: 'POST',
        path: req.url,
        headers: { 'content-type': 'application/json', authorization: 'Bearer upstream-key' },
        body,
      },
      {
        onRequestStart() {},
        onResponseStart(_controller, status, headers) {
          res.writeHead(status, { 'content-type': headers['content-type'] })
        },
        onResponseData(_controller, chunk) {
          res.write(chunk)
        },
        onResponseEnd() {
          res.end()
        },
        onResponseError() {
          res.destroy()
        },
      },
    )
  })
})

server.listen(0, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`)
})
process.on('SIGTERM', () => process.exit(0))
