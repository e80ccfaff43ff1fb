<?php

/*
 * What `composer install` would write, made of Debian's Guzzle 7 instead of Composer's packages.
 * The generator is of 2020: it calls a function of Guzzle 6 that Guzzle 7 has elsewhere, and makes what has no
 * type in the document "mixed", which PHP 8 knows no conversion to; its newer versions leave such values alone.
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
