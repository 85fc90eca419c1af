import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { findPrometheus } from '../support/prometheus.ts'

/** The alerts by Prometheus' own tools: part of `bun run check:alerts`. */

const DEPLOY = join(import.meta.dirname, '../../deploy')

test.each([
  ['check', 'rules', 'alerts.yaml'],
  ['test', 'rules', 'alerts_test.yaml'],
])('promtool %s %s %s', async (verb, what, file) => {
  await findPrometheus()
  const child = Bun.spawn(['promtool', verb, what, file], {
    cwd: DEPLOY,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  expect(`${await child.exited} ${out}${err}`).toMatch(/^0 /)
})
