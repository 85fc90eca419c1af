import { describe, expect, test } from 'bun:test'
import { parseSignerUrl } from '../../../core/config/signers.ts'

const refusal = (text: string) => {
  const parsed = parseSignerUrl(text)
  return parsed.ok ? null : parsed.message
}

describe('the URL of a signer', () => {
  test('names a key of AWS KMS by alias, id or ARN', () => {
    const source = (text: string) => {
      const parsed = parseSignerUrl(text)
      return parsed.ok ? parsed.source : parsed.message
    }
    const kms = { type: 'awskms', region: null, endpoint: null } as const
    expect(source('awskms:///alias/remit-config')).toEqual({ ...kms, keyId: 'alias/remit-config' })
    const arn = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab'
    expect(source(`awskms:///${arn}`)).toEqual({ ...kms, keyId: arn, region: 'eu-central-1' })
    expect(source('awskms:///k?region=us-east-1&endpoint=https://kms.example.com')).toEqual({
      type: 'awskms',
      keyId: 'k',
      region: 'us-east-1',
      endpoint: 'https://kms.example.com',
    })
  })

  test('names a key on a PKCS#11 token', () => {
    expect(
      parseSignerUrl(
        'pkcs11:token=remit%20live;object=config?module-path=/usr/lib/hsm.so&pin-source=file:/run/secrets/pin',
      ),
    ).toEqual({
      ok: true,
      source: {
        type: 'pkcs11',
        module: '/usr/lib/hsm.so',
        token: 'remit live',
        object: 'config',
        pinFile: '/run/secrets/pin',
      },
    })
  })

  test('names a file', () => {
    const source = { type: 'file', path: '/run/secrets/config key' } as const
    expect(parseSignerUrl('file:///run/secrets/config%20key')).toEqual({ ok: true, source })
  })

  test.each([
    'awskms://kms.example.com/alias/x',
    'awskms:///',
    'awskms:///alias/x?endpoint=http://kms.example.com',
    'awskms:///alias/../..%00',
    'file://host/key',
    'file:key',
    'pkcs11:token=a;object=b',
    'pkcs11:token=a;object=b?module-path=relative.so&pin-source=/pin',
    'pkcs11:token=a;object=b?module-path=/m.so&pin-source=/pin&pin-value=1234',
    'https://example.com',
  ])('is refused where it could mean something else: %s', (text) => {
    expect(refusal(text)).toContain('must')
  })
})
