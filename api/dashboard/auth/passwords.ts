/** Passwords are stored as Argon2id, with the parameters that OWASP's cheat sheet names first. */

const TERMS = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

export function hashPassword(password: string): Promise<string> {
  return Bun.password.hash(password.normalize('NFKC'), TERMS)
}

export function verifyPassword(given: {
  readonly hash: string
  readonly password: string
}): Promise<boolean> {
  return Bun.password.verify(given.password.normalize('NFKC'), given.hash)
}
