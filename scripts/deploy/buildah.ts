import { type ChildProcess, execFileSync, type StdioOptions, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { whenOver } from '../../chaos/lib/clean-up.ts'
import { report, type Settings } from './production-program.ts'

/** Builds and runs images as root, without a daemon, a registry or namespaces. */
const environment = { ...process.env, STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' }
// The name contains the version, so a newer Node gets its own base.
const base = `localhost/tidings-check-base:${process.versions.node}`
const certificates = '/etc/ssl/certs/ca-certificates.crt'

export function buildah(...args: string[]): string {
  const stdio = ['ignore', 'pipe', 'pipe'] satisfies StdioOptions
  return execFileSync('buildah', args, {
    env: environment,
    encoding: 'utf8',
    stdio,
    maxBuffer: 64 * 1024 * 1024,
  }).trim()
}

/** Installs what building needs from Debian's packages, if the machine does not have it. */
export function installBuildah(): void {
  const hasAll = ['buildah', 'crun', 'debootstrap'].every(
    (name) => existsSync(`/usr/bin/${name}`) || existsSync(`/usr/sbin/${name}`),
  )
  if (hasAll) return
  report('installing buildah, crun and debootstrap')
  execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit' })
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'buildah', 'crun', 'debootstrap'], {
    stdio: 'ignore',
  })
}

/**
 * Makes a substitute for the base image, which only a registry has: Debian, the Node that runs this script, the npm of this
 * machine with its settings, and the user `node`. The substitute is kept for the next run. Returns its name.
 */
export function baseImage(): string {
  if (buildah('images', '--noheading', '--format', '{{.Name}}:{{.Tag}}').split('\n').includes(base)) return base
  const folder = mkdtempSync(join(tmpdir(), 'tidings-base-'))
  const over = whenOver(() => rmSync(folder, { recursive: true, force: true }))
  execFileSync('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', folder], {
    stdio: 'ignore',
  })
  cpSync(realpathSync(process.execPath), join(folder, 'usr/local/bin/node'))
  mkdirSync(join(folder, 'usr/local/lib/node_modules'), { recursive: true })
  cpSync(npmFolder(), join(folder, 'usr/local/lib/node_modules/npm'), { recursive: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(folder, 'usr/local/bin/npm'))
  for (const [from, to] of [
    [join(homedir(), '.npmrc'), 'root/.npmrc'],
    [certificates, certificates],
  ] as const) {
    if (existsSync(from)) cpSync(from, join(folder, to))
  }
  execFileSync('chroot', [folder, 'useradd', '--create-home', '--uid', '1000', 'node'])
  commitBase(folder)
  void over()
  return base
}

function npmFolder(): string {
  const program = process.env.npm_execpath
  if (!program) throw new Error('run it with `npm run check-image`, which says where npm is')
  return join(dirname(realpathSync(program)), '..')
}

function commitBase(folder: string): void {
  const container = buildah('from', 'scratch')
  const over = whenOver(() => void buildah('rm', container))
  buildah('copy', '--quiet', container, folder, '/')
  const env = [
    `NODE_EXTRA_CA_CERTS=${certificates}`,
    `npm_config_cafile=${certificates}`,
    'PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  ]
  buildah('config', ...env.flatMap((setting) => ['--env', setting]), container)
  buildah('commit', '--quiet', container, base)
  void over()
}

/** Builds the Dockerfile on this base. The image is removed at the end. */
export function buildImage(root: string, name: string, args: Settings): void {
  const settings = Object.entries(args).flatMap(([key, value]) => ['--build-arg', `${key}=${value}`])
  whenOver(() => void buildah('rmi', '--force', name))
  // Only Docker's format knows HEALTHCHECK.
  buildah('bud', '--format', 'docker', '--pull-never', '--network', 'host', '--quiet', ...settings, '--tag', name, root)
}

export type Container = {
  /** Runs a command as the image's user, with the image's settings and these, on the network of this machine. */
  launch(command: readonly string[], settings: Settings): ChildProcess
}

/** Makes a container of the image. It is removed at the end. */
export function createContainer(image: string): Container {
  const name = buildah('from', '--pull-never', image)
  whenOver(() => void buildah('rm', name))
  return {
    launch(command, settings) {
      const env = Object.entries(settings).flatMap(([key, value]) => ['--env', `${key}=${value}`])
      const args = ['run', '--isolation', 'chroot', '--network', 'host', ...env, name, '--', ...command]
      return spawn('buildah', args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
    },
  }
}
