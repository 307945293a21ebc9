import { describe, expect, it } from 'vitest';
import { atEnd } from '../../../test/support/at-end.ts';
import { ConnectionError } from '../../database/connection-error.ts';
import { ApiError } from '../../platform/errors.ts';
import { UploadThread } from './upload-thread.ts';

describe('the thread of uploads', () => {
  it('throws the errors of its steps as the steps do', async () => {
    const thread = new UploadThread({ connectionString: 'postgres://nobody@127.0.0.1:1/none' });
    atEnd(() => thread.close());
    const form = { organizationId: '', contentType: '', body: [], now: new Date(0) };
    await expect(thread.storeChunk(form)).rejects.toThrow(ApiError);
    const bundle = { organizationId: '', checksum: '', chunks: [] };
    await expect(thread.readBundle(bundle)).rejects.toThrow('The bundle is not a readable ZIP file.');
    const chunks = [{ checksum: '', length: 100 }];
    await expect(thread.readBundle({ ...bundle, chunks })).rejects.toThrow(ConnectionError);
  });
});
