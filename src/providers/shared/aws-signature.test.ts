import { expect, test } from 'vitest'
import { signAws } from './aws-signature.ts'

// From AWS's own test suite for signers (post-x-www-form-urlencoded) ...
const suite = {
  region: 'us-east-1',
  service: 'service',
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  now: new Date('2015-08-30T12:36:00Z'),
}
// ... and from https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html.
const s3 = {
  region: 'us-east-1',
  service: 's3',
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  now: new Date('2013-05-24T00:00:00Z'),
  method: 'GET',
  body: '',
}

test('signs a form as AWS does, and hands back every header to send', () => {
  expect(
    signAws({
      ...suite,
      method: 'POST',
      url: 'https://example.amazonaws.com/',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': '13' },
      body: 'Param1=value1',
    }),
  ).toEqual({
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': '13',
    'x-amz-date': '20150830T123600Z',
    'x-amz-content-sha256': '9095672bbd1f56dfc5b65f3e153adc8731a4a654192329106275f4c7b24d0b6e',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=content-length;content-type;host;x-amz-content-sha256;x-amz-date, Signature=d3875051da38690788ef43de4db0d8f280229d82040bfac253562e56c3f20e0b',
  })
})

test.each([
  [
    'a header besides its own',
    'https://examplebucket.s3.amazonaws.com/test.txt',
    { range: 'bytes=0-9' },
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'a query, whatever its order',
    'https://examplebucket.s3.amazonaws.com/?prefix=J&max-keys=2',
    {},
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
  [
    'a query without a value',
    'https://examplebucket.s3.amazonaws.com/?lifecycle',
    {},
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
])('signs %s as AWS does', (_case, url, headers, signature) => {
  expect(signAws({ ...s3, url, headers }).authorization).toMatch(new RegExp(`Signature=${signature}$`))
})

test('sends and signs the token of temporary keys', () => {
  const request = { ...suite, method: 'POST', url: 'https://example.amazonaws.com/', headers: {}, body: '' }
  const plain = signAws(request)
  const signed = signAws({ ...request, sessionToken: 'AQoDYXdzEPT==' })
  expect(signed['x-amz-security-token']).toBe('AQoDYXdzEPT==')
  expect(signed.authorization).toContain('SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,')
  expect(plain).not.toHaveProperty('x-amz-security-token')
  expect(signed.authorization?.split('Signature=')[1]).not.toBe(plain.authorization?.split('Signature=')[1])
})
