package org.openapitools.jackson.nullable;

import com.fasterxml.jackson.databind.module.SimpleModule;

/**
 * Stands in for jackson-databind-nullable, which Maven would fetch: the generated client registers it,
 * and its models do not use it.
 */
public class JsonNullableModule extends SimpleModule {}
