import OpenAI from 'openai'
import { ResponsesWS } from 'openai/resources/responses/ws'
import { certificate } from '../../../harness/sockets/tls-proxy.ts'
import type { Caller, ClientCall, ClientResponse, Endpoint } from '../../cell.ts'
import { readResponse } from './read.ts'
import { paramsOf } from './write.ts'

/** Headers, lists and refusals before the first message are HTTP, which the caller over HTTP shows. */
const isExpressed: NonNullable<Caller['can']> = ({ name, group, operation = 'chat' }) =>
  operation === 'chat' && group !== 'Errors' && !['headers', 'request-id'].includes(name)

const receive = async (endpoint: Endpoint, clientCall: ClientCall): Promise<ClientResponse> => {
  const openai = new OpenAI({ apiKey: endpoint.key, baseURL: `${endpoint.secureUrl}/v1` })
  const socket = new ResponsesWS(openai, { ca: certificate })
  try {
    socket.send({ type: 'response.create', ...paramsOf(clientCall) })
    let inputPieces = 0
    for await (const event of socket.stream()) {
      if (event.type === 'error') throw event.error
      if (event.type === 'close') throw new Error(`the connection was closed: ${event.reason}`)
      if (event.type !== 'message') continue
      const { message } = event
      if (message.type === 'response.function_call_arguments.delta') inputPieces += 1
      if (message.type === 'response.completed' || message.type === 'response.incomplete')
        return {
          ...readResponse(message.response),
          ...{ native: message.response.output, inputPieces },
        }
      if (message.type === 'response.failed') throw new Error(message.response.error?.message)
    }
    throw new Error('the connection ended without a response')
  } finally {
    socket.close()
  }
}

/** Each response has a connection of its own. A socket has streams only. */
export const openaiResponsesSocket: Caller = {
  id: 'openai-responses-socket',
  client: 'openai',
  dialect: 'openai-responses',
  modes: ['stream'],
  can: isExpressed,
  additions: { facts: () => ({}), notes: /: include$/ },
  clientCall: receive,
}
