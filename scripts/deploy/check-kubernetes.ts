import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { checkPostgres } from './check-cloudnative-pg.ts'
import { checkObjects } from './kubernetes/object-rules.ts'
import { type Manifest, ofKind } from './kubernetes/objects.ts'
import { checkAgainstProgram } from './kubernetes/program-rules.ts'

const root = join(import.meta.dirname, '../..')
const folderOfFiles = join(root, 'deploy/kubernetes')

/**
 * Compares deploy/kubernetes with itself, with the program and with deploy/cloudnative-pg.yaml, and returns the faults. It
 * does not know everything that a Kubernetes API server would refuse.
 */
export function checkKubernetes(
  folder = folderOfFiles,
  postgresFile = join(root, 'deploy/cloudnative-pg.yaml'),
): string[] {
  const faults: string[] = []
  const kustomization: { resources: string[]; images: { name: string }[] } = parse(
    readFileSync(join(folder, 'kustomization.yaml'), 'utf8'),
  )
  const files = manifestFiles(folder)
  if (files.toSorted().join() !== kustomization.resources.toSorted().join()) {
    faults.push(`kustomization.yaml lists ${kustomization.resources}, there are ${files}`)
  }
  const objects = readManifests(folder, faults)
  if (ofKind(objects, 'Secret').length > 0) faults.push('the files contain a Secret')
  const { secretName, maxConnections, faults: ofPostgres } = checkPostgres(readFileSync(postgresFile, 'utf8'))
  const pods = [...ofKind(objects, 'Deployment'), ...ofKind(objects, 'Job')]
  if (pods.length !== 3) faults.push(`${pods.length} kinds of pods instead of api, worker and migrate`)
  const images = kustomization.images.map(({ name }) => name)
  return [
    ...faults,
    ...ofPostgres,
    ...checkObjects(objects, new Set([secretName, 'tidings-secrets'])),
    ...checkAgainstProgram(objects, { images, maxConnections }),
  ]
}

/** The objects of deploy/kubernetes. Syntax errors are added to the faults. */
export function readManifests(folder = folderOfFiles, faults: string[] = []): Manifest[] {
  return manifestFiles(folder).flatMap((file) =>
    parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((document) => {
      for (const error of document.errors) faults.push(`${file}: ${error.message}`)
      return document.toJS() as Manifest
    }),
  )
}

function manifestFiles(folder: string): string[] {
  return readdirSync(folder).filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml')
}
