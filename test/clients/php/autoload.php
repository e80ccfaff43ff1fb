<?php

/*
 * Replaces the autoloader of `composer install`, with Debian's Guzzle 7 instead of Composer's packages.
 * The generator is from 2020. It calls a function that Guzzle 7 has moved, and converts values without a
 * type to "mixed", which PHP 8 refuses. Newer versions of the generator do not convert such values.
 */

namespace GuzzleHttp\Psr7 {
    function build_query(array $params): string
    {
        return Query::build($params);
    }
}

namespace MerchantApi {
    function settype(mixed &$value, string $type): bool
    {
        return $type === 'mixed' || \settype($value, $type);
    }
}

namespace {
    require '/usr/share/php/GuzzleHttp/autoload.php';

    spl_autoload_register(function (string $class): void {
        $file = __DIR__ . '/../client/lib/' . strtr(substr($class, strlen('MerchantApi\\')), '\\', '/') . '.php';
        if (str_starts_with($class, 'MerchantApi\\') && is_file($file)) {
            require $file;
        }
    });
}
