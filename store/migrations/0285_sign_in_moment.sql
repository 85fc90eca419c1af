-- When somebody last signed in with all that they sign in with: written by signing in alone. Sessions of before
-- have none, and need another sign-in for what asks for a fresh one.
alter table auth.session add column "signedInAt" timestamptz;
