import { describe, expect, it } from 'vitest';
import { describeProject } from './project-name.ts';

describe('the name of a project', () => {
  it('tells a staging from the production of the same name', () => {
    expect(describeProject({ name: 'Storefront EU', environment: 'production' })).toBe('Storefront EU');
    expect(describeProject({ name: 'Storefront EU', environment: 'staging' })).toBe(
      'Storefront EU · staging',
    );
  });
});
