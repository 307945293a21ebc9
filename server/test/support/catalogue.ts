import type { Pool } from '../../src/database/database.ts';

/** Tables, types, functions and rows of a database by name. */
export interface Catalogue {
  enums: Record<string, string>;
  tables: Record<string, Record<string, string>>;
  columns: Record<string, Record<string, string>>;
  constraints: Record<string, Record<string, string>>;
  indexes: Record<string, Record<string, string>>;
  triggers: Record<string, Record<string, string>>;
  functions: Record<string, string>;
  extensions: Record<string, string>;
  rows: Record<string, string>;
}

const IS_OURS = `n.nspname = 'public' AND NOT EXISTS (
  SELECT FROM pg_depend AS d WHERE d.objid = of_catalogue.oid AND d.deptype = 'e')`;

/** Queries of (owner, name, description), one a part. `owner` is empty for what belongs to no table. */
const PARTS = {
  enums: `SELECT '' AS owner, typname AS name, string_agg(enumlabel, ' ' ORDER BY enumsortorder) AS description
    FROM pg_type AS of_catalogue JOIN pg_namespace n ON n.oid = typnamespace JOIN pg_enum ON enumtypid = of_catalogue.oid
    WHERE ${IS_OURS} GROUP BY typname`,
  tables: `SELECT relname AS owner, what AS name, value AS description
    FROM pg_class AS of_catalogue JOIN pg_namespace n ON n.oid = relnamespace
    CROSS JOIN LATERAL (VALUES ('kind', relkind::text), ('persistence', relpersistence::text),
      ('partition key', pg_get_partkeydef(of_catalogue.oid)), ('grants', relacl::text),
      ('options', array_to_string(reloptions, ', ')), ('row security', nullif(relrowsecurity::text, 'false'))
    ) AS part (what, value)
    WHERE ${IS_OURS} AND relkind IN ('r', 'p') AND NOT relispartition AND value IS NOT NULL`,
  columns: `SELECT relname AS owner, attname AS name, concat_ws(' ', format_type(atttypid, atttypmod),
      CASE WHEN attnotnull THEN 'NOT NULL' END, 'DEFAULT ' || pg_get_expr(adbin, adrelid),
      'IDENTITY ' || nullif(attidentity::text, ''), 'STORAGE ' || CASE WHEN attstorage <> typstorage THEN attstorage::text END,
      'GRANTS ' || attacl::text) AS description
    FROM pg_attribute JOIN pg_class AS of_catalogue ON of_catalogue.oid = attrelid JOIN pg_type t ON t.oid = atttypid
    JOIN pg_namespace n ON n.oid = relnamespace
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE ${IS_OURS} AND relkind IN ('r', 'p') AND NOT relispartition AND attnum > 0 AND NOT attisdropped`,
  // Versions from 18 on list NOT NULL among the constraints.
  constraints: `SELECT relname AS owner, conname AS name, pg_get_constraintdef(c.oid) AS description
    FROM pg_constraint c JOIN pg_class AS of_catalogue ON of_catalogue.oid = conrelid
    JOIN pg_namespace n ON n.oid = relnamespace
    WHERE ${IS_OURS} AND contype <> 'n' AND NOT relispartition`,
  indexes: `SELECT relname AS owner, i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS description
    FROM pg_index i JOIN pg_class AS of_catalogue ON of_catalogue.oid = indrelid JOIN pg_namespace n ON n.oid = relnamespace
    WHERE ${IS_OURS} AND relkind IN ('r', 'p') AND NOT relispartition`,
  triggers: `SELECT relname AS owner, tgname AS name, pg_get_triggerdef(t.oid) AS description
    FROM pg_trigger t JOIN pg_class AS of_catalogue ON of_catalogue.oid = tgrelid JOIN pg_namespace n ON n.oid = relnamespace
    WHERE ${IS_OURS} AND NOT tgisinternal AND NOT relispartition`,
  functions: `SELECT '' AS owner, proname AS name,
      concat_ws(' ', pg_get_functiondef(of_catalogue.oid), 'GRANTS ' || proacl::text) AS description
    FROM pg_proc AS of_catalogue JOIN pg_namespace n ON n.oid = pronamespace WHERE ${IS_OURS}`,
  extensions: `SELECT '' AS owner, extname AS name, '' AS description FROM pg_extension WHERE extname <> 'plpgsql'`,
};

/** Reads what migrations make of a new database: partitions and the list of migrations apart. */
export async function readCatalogue(pool: Pool): Promise<Catalogue> {
  const parts = { rows: await readRows(pool) } as Record<string, Record<string, unknown>>;
  for (const [part, sql] of Object.entries(PARTS)) {
    const { rows } = await pool.query<{ owner: string; name: string; description: string }>(
      `SELECT owner, name, description FROM (${sql}) AS part ORDER BY owner COLLATE "C", name COLLATE "C"`,
    );
    const content: Record<string, unknown> = (parts[part] = {});
    for (const { owner, name, description } of rows.filter((row) => row.owner !== 'schema_migrations')) {
      const text = withoutLayout(description);
      if (owner === '') content[name] = text;
      else content[owner] = { ...(content[owner] as object | undefined), [name]: text };
    }
  }
  return parts as unknown as Catalogue; // built above, part by part
}

/** Removes layout and comments of a function, which do not change its effect. */
function withoutLayout(text: string): string {
  return text
    .replace(/--[^\n]*/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

async function readRows(pool: Pool): Promise<Record<string, string>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_migrations'
      ORDER BY tablename COLLATE "C"`,
  );
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await pool.query<{ all: string | null }>(
      `SELECT jsonb_agg(to_jsonb(t) ORDER BY to_jsonb(t))::text AS all FROM ${name} AS t`,
    );
    if (rows[0]?.all) found[name] = rows[0].all;
  }
  return found;
}
