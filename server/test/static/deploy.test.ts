import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { VARIABLES } from '../../src/config-variables.ts';
import { ROOT, readText } from '../support/documents.ts';
import { Compose } from './deploy/compose.ts';
import {
  ConfigMap,
  Deployment,
  Kustomization,
  Manifest,
  PodDisruptionBudget,
  Secret,
  Service,
} from './deploy/kubernetes.ts';

const KUBERNETES = 'deploy/kubernetes';
const COMPOSE_FILES = ['compose.yaml', 'deploy/compose/compose.yaml'];
const ROLES = ['management', 'ingestion', 'worker'];
const TEMPLATE = 'secret.example.yaml';

const manifests = (await readdir(path.join(ROOT, KUBERNETES))).toSorted();

async function readManifests(file: string): Promise<unknown[]> {
  const documents = parseAllDocuments(await readText(`${KUBERNETES}/${file}`));
  return documents.map((document): unknown => document.toJS());
}

/** The one object of a file that has this schema. */
async function readOnly<Schema extends TSchema>(file: string, schema: Schema): Promise<Static<Schema>> {
  const found = (await readManifests(file)).filter((manifest) => Value.Check(schema, manifest));
  expect(found).toHaveLength(1);
  return Value.Parse(schema, found[0]);
}

async function readCompose(file: string): Promise<Static<typeof Compose>> {
  return Value.Parse(Compose, parse(await readText(file), { merge: true }));
}

const errorsOf = (schema: TSchema, value: unknown) =>
  Value.Errors(schema, value).map(({ instancePath, message }) => `${instancePath} ${message}`);
/** Variables that name a file, with its path. */
const filesOf = (variables: Record<string, string>) =>
  Object.entries(variables)
    .filter(([name]) => name.endsWith('_FILE'))
    .map(([, file]) => file);
const unknownVariables = (variables: Record<string, string>) =>
  Object.keys(variables).filter((name) => !Object.hasOwn(VARIABLES, name) && !name.startsWith('POSTGRES_'));

describe('the manifests of Kubernetes', () => {
  it.each(manifests)(
    'uses only fields of the Kubernetes API in %s, with values of their types',
    async (file) => {
      for (const manifest of await readManifests(file)) expect(errorsOf(Manifest, manifest)).toEqual([]);
    },
  );

  it('refuses a field with a wrong name, and one with a value of another type', async () => {
    const deployment = await readOnly('worker.yaml', Deployment);
    const { spec } = deployment;
    expect(errorsOf(Manifest, deployment)).toEqual([]);
    expect(errorsOf(Manifest, { ...deployment, spec: { ...spec, replica: 2 } })).not.toEqual([]);
    expect(errorsOf(Manifest, { ...deployment, spec: { ...spec, replicas: '2' } })).not.toEqual([]);
  });

  it('applies every file but the template of the secret, with the image of this version', async () => {
    const { resources, images } = await readOnly('kustomization.yaml', Kustomization);
    const others = manifests.filter((file) => file !== 'kustomization.yaml' && file !== TEMPLATE);
    expect(resources.toSorted()).toEqual(others);
    expect(await readText('package.json')).toContain(`"version": "${images[0]?.newTag}"`);
  });

  it('keeps a template of the secret without a value, for each file that a variable names', async () => {
    const files = filesOf((await readOnly('config.yaml', ConfigMap)).data);
    const { stringData } = await readOnly(TEMPLATE, Secret);
    expect(files.toSorted()).toEqual(
      Object.keys(stringData)
        .map((name) => `/run/secrets/tocsin/${name}`)
        .toSorted(),
    );
    expect(Object.values(stringData).join('')).toBe('');
  });

  it.each(ROLES)('runs, probes and protects the pods of %s', async (role) => {
    const { spec } = await readOnly(`${role}.yaml`, Deployment);
    const label = { 'app.kubernetes.io/component': role };
    expect(spec.selector.matchLabels).toEqual(label);
    expect(spec.template.metadata.labels).toEqual(label);
    const [container] = spec.template.spec.containers;
    expect(container?.args).toEqual(['start', role]);
    expect(container?.livenessProbe?.httpGet).toEqual({ path: '/livez', port: 'metrics' });
    expect(container?.readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'metrics' });
    const budget = await readOnly(`${role}.yaml`, PodDisruptionBudget);
    expect(budget.spec.selector.matchLabels).toEqual(label);
  });

  it.each(['management', 'ingestion'])('leads the service of %s to a port of its pods', async (role) => {
    const { spec } = await readOnly(`${role}.yaml`, Service);
    expect(spec.selector).toEqual({ 'app.kubernetes.io/component': role });
    const pods = await readOnly(`${role}.yaml`, Deployment);
    const names = pods.spec.template.spec.containers[0]?.ports?.map(({ name }) => name);
    expect(names).toContain(spec.ports[0]?.targetPort);
  });

  it('sets variables that exist, and starts no embedded database', async () => {
    const { data } = await readOnly('config.yaml', ConfigMap);
    expect(unknownVariables(data)).toEqual([]);
    expect(data).toMatchObject({ REQUIRE_DATABASE_URL: 'true', METRICS_PORT: '4200' });
  });
});

describe('the files of Compose', () => {
  it.each(COMPOSE_FILES)('uses only fields of Compose in %s, with values of their types', async (file) => {
    expect(errorsOf(Compose, parse(await readText(file), { merge: true }))).toEqual([]);
  });

  it.each(COMPOSE_FILES)(
    'runs every role in %s, by variables that exist, without an embedded database',
    async (file) => {
      const { services } = await readCompose(file);
      for (const role of ROLES) {
        expect(services[role]?.command).toEqual(['start', role]);
        expect(services[role]?.environment.REQUIRE_DATABASE_URL).toBe('true');
      }
      for (const { environment } of Object.values(services))
        expect(unknownVariables(environment)).toEqual([]);
    },
  );

  it('gives each service the files that its variables name, and no secret as a value', async () => {
    const { services, secrets = {} } = await readCompose('deploy/compose/compose.yaml');
    for (const { environment, secrets: given = [] } of Object.values(services)) {
      expect(filesOf(environment).toSorted()).toEqual(given.map((name) => `/run/secrets/${name}`).toSorted());
      expect(Object.keys(secrets)).toEqual(expect.arrayContaining(given));
      const values = ['DATABASE_URL', 'SESSION_SECRET', 'ENCRYPTION_KEY', 'POSTGRES_PASSWORD'];
      expect(Object.keys(environment).filter((name) => values.includes(name))).toEqual([]);
    }
  });
});
