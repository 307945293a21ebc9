import { type TSchema, Type } from 'typebox';

/*
 * The fields of the Compose specification that compose.yaml and deploy/compose use, by its names and types; any other field is
 * refused. Fields that begin with `x-` are the file's own. A field that the files begin to use is added here.
 */

/** An object without other fields. */
const strict = <Fields extends Record<string, TSchema>>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false });

const Duration = Type.String({ pattern: '^([0-9]+(ms|s|m|h))+$' });
const Bytes = Type.String({ pattern: '^[0-9]+[bkmg]$' });
const Texts = Type.Array(Type.String());
const Variables = Type.Record(Type.String(), Type.String());

const Service = strict({
  image: Type.String(),
  build: Type.Optional(Type.String()),
  command: Type.Optional(Texts),
  restart: Type.Optional(Type.Enum(['no', 'always', 'on-failure', 'unless-stopped'])),
  cap_drop: Texts,
  cap_add: Type.Optional(Texts),
  security_opt: Texts,
  read_only: Type.Optional(Type.Boolean()),
  tmpfs: Type.Optional(Texts),
  mem_limit: Type.Optional(Bytes),
  shm_size: Type.Optional(Bytes),
  stop_grace_period: Type.Optional(Duration),
  sysctls: Type.Optional(Variables),
  secrets: Type.Optional(Texts),
  environment: Variables,
  ports: Type.Optional(Type.Array(Type.String({ pattern: '^127\\.0\\.0\\.1:[0-9]+(-[0-9]+)?:[0-9]+$' }))),
  volumes: Type.Optional(Texts),
  deploy: Type.Optional(strict({ replicas: Type.Integer({ minimum: 1 }) })),
  depends_on: Type.Optional(
    Type.Record(
      Type.String(),
      strict({
        condition: Type.Enum(['service_started', 'service_healthy', 'service_completed_successfully']),
      }),
    ),
  ),
  healthcheck: Type.Optional(
    strict({
      test: Type.Optional(Texts),
      interval: Type.Optional(Duration),
      timeout: Type.Optional(Duration),
      retries: Type.Optional(Type.Integer({ minimum: 1 })),
      start_period: Type.Optional(Duration),
      disable: Type.Optional(Type.Boolean()),
    }),
  ),
  logging: strict({ driver: Type.String(), options: Variables }),
});

export const Compose = Type.Object(
  {
    name: Type.String(),
    services: Type.Record(Type.String(), Service),
    secrets: Type.Optional(Type.Record(Type.String(), strict({ file: Type.String() }))),
    volumes: Type.Record(Type.String(), Type.Null()),
  },
  { additionalProperties: false, patternProperties: { '^x-': {} } },
);
