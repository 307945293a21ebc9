import { type TSchema, Type } from 'typebox';

/*
 * The fields of the Kubernetes API that deploy/kubernetes uses, by the names and types of its version 1.27; any other field is
 * refused, as a cluster refuses one with `--validate=strict`. A field that the manifests begin to use is added here.
 */

/** An object without other fields. */
const strict = <Fields extends Record<string, TSchema>>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false });

const Name = Type.String({ pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 });
const Port = Type.Union([Type.Integer({ minimum: 1, maximum: 65_535 }), Name]);
const Labels = Type.Record(
  Type.String(),
  Type.String({ pattern: '^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$', maxLength: 63 }),
);
const Metadata = strict({ name: Name, namespace: Type.Optional(Name), labels: Type.Optional(Labels) });
const Selector = strict({ matchLabels: Labels });
const Quantity = Type.String({ pattern: '^[0-9]+(\\.[0-9]+)?(m|Ki|Mi|Gi|Ti)?$' });
const Seconds = Type.Integer({ minimum: 1 });

const Probe = strict({
  httpGet: strict({ path: Type.Enum(['/livez', '/readyz']), port: Port }),
  periodSeconds: Type.Optional(Seconds),
  timeoutSeconds: Type.Optional(Seconds),
  failureThreshold: Type.Optional(Seconds),
});

const Container = strict({
  name: Name,
  image: Type.String(),
  args: Type.Array(Type.String()),
  envFrom: Type.Array(strict({ configMapRef: strict({ name: Name }) })),
  ports: Type.Optional(
    Type.Array(strict({ name: Name, containerPort: Type.Integer({ minimum: 1, maximum: 65_535 }) })),
  ),
  startupProbe: Type.Optional(Probe),
  livenessProbe: Type.Optional(Probe),
  readinessProbe: Type.Optional(Probe),
  lifecycle: Type.Optional(
    strict({ preStop: strict({ exec: strict({ command: Type.Array(Type.String()) }) }) }),
  ),
  resources: strict({
    requests: strict({ cpu: Quantity, memory: Quantity }),
    limits: strict({ memory: Quantity }),
  }),
  // The level `restricted` of the pod security standards asks for these values.
  securityContext: strict({
    allowPrivilegeEscalation: Type.Literal(false),
    readOnlyRootFilesystem: Type.Literal(true),
    capabilities: strict({ drop: Type.Tuple([Type.Literal('ALL')]) }),
  }),
  volumeMounts: Type.Array(
    strict({
      name: Name,
      mountPath: Type.String({ pattern: '^/' }),
      readOnly: Type.Optional(Type.Boolean()),
    }),
  ),
});

const PodSpec = strict({
  automountServiceAccountToken: Type.Literal(false),
  restartPolicy: Type.Optional(Type.Enum(['Always', 'Never', 'OnFailure'])),
  securityContext: strict({
    runAsNonRoot: Type.Literal(true),
    runAsUser: Type.Integer({ minimum: 1 }),
    runAsGroup: Type.Integer({ minimum: 1 }),
    fsGroup: Type.Integer({ minimum: 1 }),
    seccompProfile: strict({ type: Type.Literal('RuntimeDefault') }),
  }),
  terminationGracePeriodSeconds: Type.Optional(Seconds),
  topologySpreadConstraints: Type.Optional(
    Type.Array(
      strict({
        maxSkew: Type.Integer({ minimum: 1 }),
        topologyKey: Type.String(),
        whenUnsatisfiable: Type.Enum(['DoNotSchedule', 'ScheduleAnyway']),
        labelSelector: Selector,
      }),
    ),
  ),
  containers: Type.Array(Container, { minItems: 1 }),
  volumes: Type.Array(
    strict({
      name: Name,
      secret: Type.Optional(
        strict({ secretName: Name, defaultMode: Type.Integer({ minimum: 0, maximum: 0o777 }) }),
      ),
      emptyDir: Type.Optional(strict({ sizeLimit: Quantity })),
    }),
  ),
});

const Template = strict({ metadata: strict({ labels: Labels }), spec: PodSpec });

/** Fields that each object has. */
const headOf = <Version extends string, Kind extends string>(apiVersion: Version, kind: Kind) => ({
  apiVersion: Type.Literal(apiVersion),
  kind: Type.Literal(kind),
  metadata: Metadata,
});

const Namespace = strict(headOf('v1', 'Namespace'));

export const ConfigMap = strict({
  ...headOf('v1', 'ConfigMap'),
  data: Type.Record(Type.String(), Type.String()),
});

export const Secret = strict({
  ...headOf('v1', 'Secret'),
  type: Type.Literal('Opaque'),
  stringData: Type.Record(Type.String(), Type.String()),
});

export const Service = strict({
  ...headOf('v1', 'Service'),
  spec: strict({
    selector: Labels,
    ports: Type.Array(strict({ name: Name, port: Type.Integer(), targetPort: Port }), { minItems: 1 }),
  }),
});

export const Deployment = strict({
  ...headOf('apps/v1', 'Deployment'),
  spec: strict({
    replicas: Type.Integer({ minimum: 1 }),
    selector: Selector,
    strategy: strict({
      type: Type.Literal('RollingUpdate'),
      rollingUpdate: strict({ maxSurge: Type.Integer(), maxUnavailable: Type.Integer() }),
    }),
    template: Template,
  }),
});

const Job = strict({
  ...headOf('batch/v1', 'Job'),
  spec: strict({ backoffLimit: Type.Integer({ minimum: 0 }), template: Template }),
});

export const PodDisruptionBudget = strict({
  ...headOf('policy/v1', 'PodDisruptionBudget'),
  spec: strict({ maxUnavailable: Type.Integer({ minimum: 1 }), selector: Selector }),
});

export const Kustomization = strict({
  apiVersion: Type.Literal('kustomize.config.k8s.io/v1beta1'),
  kind: Type.Literal('Kustomization'),
  namespace: Name,
  labels: Type.Array(strict({ pairs: Labels })),
  resources: Type.Array(Type.String({ pattern: '\\.yaml$' })),
  images: Type.Array(strict({ name: Type.String(), newName: Type.String(), newTag: Type.String() })),
});

/** Schema of any manifest. */
export const Manifest = Type.Union([
  Namespace,
  ConfigMap,
  Secret,
  Service,
  Deployment,
  Job,
  PodDisruptionBudget,
  Kustomization,
]);
