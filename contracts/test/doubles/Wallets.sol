// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ECDSA} from "solady/utils/ECDSA.sol";

/// @notice A contract wallet (ERC-1271) with one key.
contract KeyWallet {
    address public immutable key;

    constructor(address key_) {
        key = key_;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature)
        external
        view
        returns (bytes4)
    {
        return ECDSA.tryRecoverCalldata(digest, signature) == key ? bytes4(0x1626ba7e) : bytes4(0);
    }
}

/// @notice A contract wallet that accepts everything, after a configured amount of work.
contract SlowWallet {
    uint256 public immutable work;

    constructor(uint256 work_) {
        work = work_;
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        uint256 floor = gasleft() > work ? gasleft() - work : 0;
        while (gasleft() > floor) {}
        return 0x1626ba7e;
    }
}

/// @notice A contract wallet that burns all the gas it is given.
contract BurningWallet {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        assembly {
            invalid()
        }
    }
}

/// @notice Creates wallets at addresses that are known before.
contract WalletFactory {
    function create(address key) external {
        new KeyWallet{salt: 0}(key);
    }

    function addressOf(address key) external view returns (address) {
        bytes32 initCodeHash =
            keccak256(abi.encodePacked(type(KeyWallet).creationCode, abi.encode(key)));
        bytes32 digest =
            keccak256(abi.encodePacked(bytes1(0xff), address(this), bytes32(0), initCodeHash));
        return address(uint160(uint256(digest)));
    }
}
