import { expect, it } from 'vitest'
import { signWithSigV4 } from './sigv4.ts'

const keys = {
  region: 'us-east-1',
  id: 'AKIDEXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
}
const context = { now: () => Date.UTC(2015, 7, 30, 12, 36) }
const request = { method: 'GET', origin: 'https://example.amazonaws.com', path: '/', body: null }

// The vendor's own test suite: https://github.com/awslabs/aws-c-auth/tree/main/tests/aws-signing-test-suite/v4
it.each([
  ['get-vanilla', {}, '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  [
    'post-vanilla',
    { method: 'POST' },
    '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  ],
  [
    'get-vanilla-query-order-key-case',
    { path: '/?Param2=value2&Param1=value1' },
    'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  ],
])('signs %s like the test suite of AWS', (_name, more, signature) => {
  const { headers } = signWithSigV4('service', keys, context, { ...request, ...more })
  expect(headers.authorization).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, ' +
      `SignedHeaders=host;x-amz-date, Signature=${signature}`,
  )
  expect(headers['x-amz-date']).toBe('20150830T123600Z')
})

// Computed with botocore 1.44.5, which also encodes the path twice.
it.each([
  [undefined, '5f0d2f0bc113952a7af341819a13a751c953c58e6c39bca38974ed6ebeb4be92'],
  ['made-up-session', '29883751d28ae6a1f3c4ea38a2ef17a65c52b48cc38d2764a05b567500637f18'],
])("signs a model's path as the vendor's client does, with the token %s", (token, signature) => {
  const { headers } = signWithSigV4('bedrock', { ...keys, token }, context, {
    method: 'POST',
    origin: 'https://bedrock-runtime.us-east-1.amazonaws.com',
    path: '/model/anthropic.claude-3-haiku-20240307-v1%3A0/invoke',
    body: Buffer.from('{"max_tokens":1}'),
  })
  expect(headers.authorization).toMatch(new RegExp(`Signature=${signature}$`))
})

// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
it.each([
  ['/?lifecycle=', 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
  ['/?prefix=J&max-keys=2', '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
])('signs GET %s for S3 like the examples of AWS', (path, signature) => {
  const example = {
    region: 'us-east-1',
    id: 'AKIAIOSFODNN7EXAMPLE',
    secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  }
  const origin = 'https://examplebucket.s3.amazonaws.com'
  const { headers } = signWithSigV4(
    's3',
    example,
    { now: () => Date.UTC(2013, 4, 24) },
    { ...request, origin, path },
  )
  expect(headers.authorization).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, ' +
      `SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=${signature}`,
  )
})

it('covers the body, the path, the token and the time', () => {
  const authorization = (more: object, at = 0, token?: string) =>
    signWithSigV4('bedrock', { ...keys, token }, { now: () => at }, { ...request, ...more }).headers
      .authorization
  const signatures = [
    authorization({}),
    authorization({ body: Buffer.from('{}') }),
    authorization({ path: '/model/a%3A0/invoke' }),
    authorization({ method: 'POST' }),
    authorization({}, 1_000),
    authorization({}, 0, 'session'),
  ]
  expect(new Set(signatures).size).toBe(signatures.length)
  expect(JSON.stringify(signatures)).not.toContain(keys.secret)
})
