import type { PasskeyOptions } from '@better-auth/passkey'
import { APIError } from 'better-auth/api'

/**
 * A passkey counts as both factors, so the device must have verified its user (WebAuthn, section 6.1, the flag
 * UV). The library requests that but accepts responses without it.
 */
export const onlyVerifiedUsers = {
  authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  registration: {
    afterVerification: async ({ verification }) => {
      requireVerified(verification.registrationInfo?.userVerified)
    },
  },
  authentication: {
    afterVerification: async ({ verification }) => {
      requireVerified(verification.authenticationInfo.userVerified)
    },
  },
} as const satisfies PasskeyOptions

function requireVerified(isVerified: boolean | undefined): void {
  if (isVerified === true) return
  throw new APIError('UNAUTHORIZED', {
    code: 'USER_NOT_VERIFIED',
    message: 'The device must verify you by PIN, fingerprint or face.',
  })
}
